import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

const photograph = (name: string) => ({
  type: 'file',
  name: `${name}.jpg`,
  mime: 'image/jpeg',
  data: `data:image/jpeg;base64,${readFileSync(join(__dirname, '..', 'samples', 'photographs', `${name}.jpg`), 'base64')}`,
});

/** The tested part of a session in the admin API. */
interface Session {
  areas: { area: string; photographs: number }[];
  facts: { kind: string; fact: object; pending: boolean }[];
  photographs: { id: string }[];
}

describe('corrections in the chat of the inspection assistant', () => {
  let app: TestApp;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  });
  afterAll(() => app.close());

  const begun = async () => {
    const chatId = randomUUID();
    const sent = async (question: string, names: string[] = []) => {
      const { status, body } = await client.predict('inspection-assistant', {
        question,
        chatId,
        uploads: names.map(photograph),
      });
      expect(status).toBe(200);
      expect(body.text).not.toContain('{{');
      return body;
    };
    const say = async (question: string, ...names: string[]): Promise<string> =>
      (await sent(question, names)).text;
    const choices = async (question: string) =>
      JSON.parse((await sent(question)).followUpPrompts ?? '[]') as string[];
    for (const words of ['check-in at 1 Test Street, Leeds LS1 4AP', 'skip']) await say(words);
    const session = async () =>
      (await client.admin('GET', `inspection/sessions/${chatId}`)).body as unknown as Session;
    const areas = async () =>
      Object.fromEntries((await session()).areas.map(({ area, photographs }) => [area, photographs]));
    /** Moves the newest photograph as a sheet of the page does. */
    const move = async (area: string) => {
      const { id } = (await session()).photographs.at(-1)!;
      const { status } = await client.admin('POST', `inspection/photographs/${id}/corrections`, { area });
      expect(status).toBe(200);
    };
    return { say, choices, session, areas, move };
  };

  it('move, withdraw and rotate photographs, rename an area, and undo each step', async () => {
    const { say, areas } = await begun();
    await say('Kitchen', 'kitchen-1', 'kitchen-2-sink');
    await say('Hall', 'hallway');
    expect(await say('that was the bathroom')).toMatch(/message are now in Bathroom\. Send “undo”/);
    expect(await areas()).toMatchObject({ Kitchen: 2, Bathroom: 1 });
    expect(await say('undo')).toBe('Put back as before: the photograph in Hall.');
    expect(await areas()).toMatchObject({ Kitchen: 2, Hall: 1 });
    expect(await say('move the last two to Bathroom')).toMatch(/The last 2 photographs are now in Bathroom/);
    expect(await areas()).toMatchObject({ Kitchen: 1, Bathroom: 2 });
    expect(await say('delete the last photo')).toMatch(/withdrawn: kept, but not in the report/);
    expect(await areas()).toMatchObject({ Kitchen: 1, Bathroom: 1 });
    expect(await say('turn the last photo left')).toMatch(/turned by 270 degrees/);
    expect(await say('rename Bathroom to Shower room')).toMatch(/Bathroom is now called Shower room/);
    expect(await areas()).toMatchObject({ Kitchen: 1, 'Shower room': 1 });
  });

  it('change the words of a remark, rename an area again, and decline the report without taking anything back', async () => {
    const { say, choices, areas, session } = await begun();
    await say('Kitchen', 'kitchen-1');
    const offered = await choices('hob chipped, done');
    expect(offered.filter((choice) => choice === 'Finish')).toHaveLength(1);
    await say('tap loose');
    expect(await say('change loose to dripping')).toMatch(
      /^The remark now says “tap dripping”\. Send “undo”/,
    );
    expect(await say('undo')).toBe('Put back as before: the remark “tap loose” in Kitchen.');
    await say('rename Kitchen to Diner');
    expect(await say('change Diner to Kitchen diner')).toMatch(/^Diner is now called Kitchen diner\./);
    expect(await say('sink stained')).toMatch(/^Noted under Kitchen diner/);
    await say('finish');
    expect(await say('forget it')).toMatch(/^Of course\./);
    expect(await areas()).toMatchObject({ 'Kitchen diner': 1 });
    expect((await session()).photographs).toHaveLength(1);
  });

  it('bring back what an undo or a deletion took, and no other photograph goes', async () => {
    const { say, areas } = await begun();
    await say('Kitchen', 'kitchen-1');
    await say('Hall', 'hallway', 'bathroom');
    expect(await say('undo')).toContain('2 photographs');
    expect(await areas()).toMatchObject({ Kitchen: 1 });
    expect(await say('bring them back')).toMatch(/^The last 2 photographs are back in the report\./);
    expect(await areas()).toMatchObject({ Kitchen: 1, Hall: 2 });
    await say('delete the last photo');
    expect(await areas()).toMatchObject({ Kitchen: 1, Hall: 1 });
    await say('bring it back');
    expect(await areas()).toMatchObject({ Kitchen: 1, Hall: 2 });
    await say('the tap drips');
    expect(await say('undo')).toContain('the tap drips');
    expect(await say('bring it back')).toBe(
      'What was taken back cannot be brought back. Please send it again.',
    );
    expect(await areas()).toMatchObject({ Kitchen: 1, Hall: 2 });
  });

  it('record what comes after “now the hall” in the hall, and each of several facts', async () => {
    const { say, choices, areas, session } = await begun();
    await say('Kitchen', 'kitchen-1');
    expect(await say('tap drips, now the hall')).toMatch(/“tap drips”\.\nNext is Hall: what you send now/);
    await say('', 'hallway');
    expect(await areas()).toMatchObject({ Kitchen: 1, Hall: 1 });
    await choices('gas 04567, water n/a, 2 keys');
    expect((await choices('Gas 04567')).slice(0, 2)).toEqual(['Water n/a', '2 keys']);
    expect((await choices('Water n/a'))[0]).toBe('2 keys');
    await say('2 keys');
    await choices('no, 3 keys');
    expect((await choices('Remove the last count first')).slice(0, 2)).toEqual(['Note 3 × Key', 'Undo']);
    expect(await say('Note 3 × Key')).toMatch(/^Noted: 3 × Key\./);
    expect((await session()).facts.filter(({ pending }) => pending)).toHaveLength(2);
  });

  it('report that there is nothing to correct, and resume', async () => {
    const { say, areas } = await begun();
    expect(await say('delete the last photo')).toMatch(/no photograph that could be corrected/);
    expect(await say('undo')).toMatch(/^Undone: /);
    expect(await areas()).toEqual({});
  });

  it('ask about a near miss, and move the photographs that came with it', async () => {
    const { say, areas } = await begun();
    await say('Kitchen', 'kitchen-1');
    expect(await say('bedrom 1', 'bedroom-1')).toMatch(/in Kitchen[^]*Did you mean Bedroom 1\?$/);
    expect(await say('Yes')).toMatch(/now in Bedroom 1/);
    expect(await areas()).toMatchObject({ Kitchen: 1, 'Bedroom 1': 1 });
    for (const command of ['undo it all now', 'delete the kitchen', 'cancel', 'open', 'go back'])
      await say(command);
    expect(Object.keys(await areas()).sort()).toEqual(['Bedroom 1', 'Kitchen']);
  });

  it('restate only the reading of the meter that was recorded last', async () => {
    const { say, session } = await begun();
    await say('Gas Meter', 'gas-meter');
    await say('02846');
    const readings = async () =>
      (await session()).facts.filter(({ kind }) => kind === 'reading').map(({ fact }) => fact);
    expect(await say('no, the reading is 04713')).toMatch(
      /^The reading of Gas Meter is now 04713\. Send “undo”/,
    );
    expect(await readings()).toEqual([{ value: '04713' }]);
    expect(await say('the gas reading should be 04714, not 04713')).toMatch(/is now 04714/);
    expect(await say('sorry, the meter should read 04714')).toMatch(/It says so already/);
    expect(await say('no, the water reading is 00001')).toMatch(/Is 00001 the reading of the water meter\?/);
    expect(await readings()).toEqual([{ value: '04714' }]);
    expect(await say('undo')).toBe('Put back as before: the reading “04713” in Gas Meter.');
    expect(await readings()).toEqual([{ value: '04713' }]);
    expect(await say('serial G4A12345')).toMatch(/^The serial number of Gas Meter is now G4A12345\./);
    expect(await readings()).toEqual([{ value: '04713', serial: 'G4A12345' }]);
    expect(await say('undo')).toBe('Put back as before: the reading “04713” in Gas Meter.');
    await say('Finish anyway');
    expect(await say('actually the reading is 1')).toMatch(/^Is 1 the reading of the gas meter\?/);
  });

  it('lists what is recorded by number, and takes back or deletes what is named', async () => {
    const { say, areas, session } = await begun();
    await say('Kitchen', 'kitchen-1');
    expect(await say('tap is dripping')).toMatch(/^Noted under Kitchen: “tap is dripping”\./);
    await say('skip gas meter');
    expect(await say('boiler is leaking')).toMatch(/^Noted under Kitchen: “boiler is leaking”\./);
    expect(await say('what have you recorded?')).toBe(
      [
        'This is recorded, the newest first:',
        '1. Remark in Kitchen: “boiler is leaking”',
        '2. Gas Meter: not available',
        '3. Remark in Kitchen: “tap is dripping”',
        '4. Photograph in Kitchen',
        'Send “delete 1” to remove one of them.',
      ].join('\n'),
    );
    expect(await say('delete 3')).toBe(
      'Removed: Remark in Kitchen: “tap is dripping”. Send “undo” to take that back.',
    );
    expect(await say('delete 2')).toMatch(/^Removed: Gas Meter: not available\./);
    expect(await say('delete 9')).toMatch(/The list ends at 4/);
    expect(await say('undo')).toBe('Gas Meter is left out again.');
    expect(await say('delete the last remark')).toBe(
      'Removed your remark “boiler is leaking” from Kitchen. Send “undo” to take that back.',
    );
    expect(await say('oops')).toBe('Put back as before: the remark “boiler is leaking” in Kitchen.');
    await say('Hall', 'hallway');
    expect(await say('oops ignore that')).toBe('Removed your photograph from Hall.');
    expect(await areas()).toMatchObject({ Kitchen: 1 });
    expect((await session()).facts).toEqual([]);
    expect(await say('new edition')).toMatch(/Shall I note it as a remark\?/);
    expect(await say('No, leave it out')).toMatch(/nothing was noted/);
    expect(await say('what have you recorded')).toMatch(/1\. Remark in Kitchen: “boiler[^]*2\. Gas Meter/);
  });

  it('binds the answer to a question to its photograph, wherever that is moved', async () => {
    const { say, session } = await begun();
    await say('Gas Meter', 'electricity-meter');
    expect(await say('that was the electricity meter')).toMatch(/now in Electricity Meter/);
    expect(await say('04731')).toMatch(/The reading 04731 is noted under Electricity Meter/);
    expect((await session()).facts).toMatchObject([
      { kind: 'reading', fact: { value: '04731' }, photographs: [expect.any(String)] },
    ]);
  });

  it.each([
    ['Gas Meter', 'gas-meter', 'Electricity Meter', '04731', /^The reading 04731 is noted under Electricity/],
    ['Keys', 'keys', 'Key safe', '2 front door', /^Noted: 2 × Front door\./],
    ['Smoke alarm', 'smoke-alarm', 'Heat alarm', 'tested', /^Noted: Heat alarm, tested\./],
  ])(
    'file the answer to a question of %s with its photograph, which was moved beside the chat',
    async (area, name, to, answer, confirmed) => {
      const { say, session, move } = await begun();
      await say(area, name);
      await move(to);
      expect(await say(answer)).toMatch(confirmed);
      const { facts } = await session();
      expect(facts).toMatchObject([{ area: to, photographs: [expect.any(String)] }]);
      // And they stay together from then on.
      await move('Meter cupboard');
      expect((await session()).facts).toMatchObject([{ area: 'Meter cupboard' }]);
    },
  );

  it('record requested readings, keys and alarms, and claim nothing before the report is confirmed', async () => {
    const { say, session } = await begun();
    expect(await say('Gas Meter', 'gas-meter')).toMatch(/What does the meter read\?$/);
    expect(await say('02846')).toMatch(/reading 02846 is noted under Gas Meter/);
    expect(await say('Keys', 'keys')).toMatch(/How many keys/);
    expect(await say('2 front door, 1 window')).toMatch(/2 × Front door, 1 × Window/);
    expect(await say('Smoke alarm', 'smoke-alarm')).toMatch(/was it tested\?$/);
    expect(await say('landing, tested')).toMatch(/Noted: Smoke alarm, Landing, tested/);
    const { facts } = await session();
    expect(facts.map(({ kind }) => kind).sort()).toEqual(['alarm', 'keys', 'keys', 'reading']);
    expect(await say('finish')).toMatch(/would not cover: Electricity Meter and Water Meter\./);
    expect(await say('carry on')).toMatch(/Send the next area/);
    expect(await say('finish')).toMatch(/would not cover/);
    expect(await say('Finish anyway')).toMatch(/Photographs: 3\n/);
  });
});

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startTestApp, type TestApp } from './support/app.js';
import { samplePhotograph } from './support/sample-photographs.js';
import { ServiceClient } from './support/service-client.js';

const FLOW = 'inspection-assistant';
const ADDRESS = '14 Acacia Avenue, Leeds LS1 4AP';

const upload = (name: string) => ({
  type: 'file',
  name: `${name}.jpg`,
  mime: 'image/jpeg',
  data: `data:image/jpeg;base64,${readFileSync(samplePhotograph(name), 'base64')}`,
});

describe('the inspection assistant before it makes the report', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  });
  afterAll(() => service.close());

  /** Opens a chat that has stated its address and type, and sent a photograph of the kitchen. */
  async function begun(type: string) {
    const chatId = randomUUID();
    const choices: { offered: string[] } = { offered: [] };
    const say = async (question: string, ...photographs: string[]): Promise<string> => {
      const body = { question, chatId, uploads: photographs.map(upload) };
      const answer = (await client.predict(FLOW, body)).body;
      choices.offered = JSON.parse(answer.followUpPrompts ?? '[]') as string[];
      return answer.text;
    };
    const path = `/api/v1/inspection/sessions/${chatId}/details?flowId=${FLOW}`;
    /** Changes the record beside the chat, as a sheet of the chat page does. */
    const change = async (details: object) =>
      expect((await client.send('PATCH', path, details)).status).toBe(200);
    const record = async () => (await client.send('GET', path)).body.details;
    const session = async () => (await client.admin('GET', `inspection/sessions/${chatId}`)).body;
    for (const words of [ADDRESS, type, 'skip']) await say(words);
    await say('Kitchen', 'kitchen-1');
    return { say, change, record, session, choices };
  }

  it('shows title, address, number, postcode and day of the cover, and claims nothing before a confirmation', async () => {
    const { say, session, choices } = await begun('interim');
    const before = ukDay();
    const answer = await say('finish');
    // Midnight may pass in between.
    const day = answer.includes(before) ? before : ukDay();
    expect(answer).toBe(
      `The cover will say: Interim Inspection Report · ${ADDRESS} (number 14, postcode LS1 4AP) · ${day}.\n` +
        'It is made of 1 photograph, and nothing is outstanding. Shall I make the report?',
    );
    expect(choices.offered).toEqual(['Make the report', 'Carry on']);
    expect(await say('Carry on')).toMatch(/Send the next area/);
    expect((await session()).pending).toBe(1);
    await say('finish');
    expect(await say('Make the report')).toMatch(/^Your report is ready[^]*\d{8} 14 LS1 4AP\.pdf/);
    expect((await session()).pending).toBe(0);
  });

  it('lists with it the outstanding areas', async () => {
    const { say, session, choices } = await begun('check-in');
    await say('skip gas meter');
    expect(await say('finish')).toMatch(
      /^The cover will say: Check-In Inspection Report · 14 Acacia[^]*would not cover: Electricity Meter, Water Meter, Keys and Detectors\./,
    );
    expect(choices.offered[0]).toBe('Finish anyway');
    expect((await session()).pending).toBe(1);
  });

  it('warns if the chat has stated another type than the record, and uses the record', async () => {
    const { say, change, record } = await begun('check-in');
    await change({ reportType: 'checkout', address: '15 Acacia Avenue', propertyNo: '15' });
    const warned = await say('finish');
    expect(warned).toMatch(/Check-Out Inspection Report · 15 Acacia Avenue \(number 15, /);
    expect(warned).toMatch(/here you said check-in, but the record of the inspection says check-out/);
    expect(await say('type: check-in')).toMatch(/the report type is now: check-in/);
    expect((await record()).reportType).toBe('checkin');
    expect(await say('finish')).toMatch(/^The cover will say: Check-In(?![^]*Please check)/);
    await change({ reportType: null });
    expect(await say('finish')).toMatch(
      /· 15 Acacia[^]*Please check: here you said check-in, but .* property inspection/,
    );
  });

  it('shows a cover again that was changed since it was shown, before it counts as confirmed', async () => {
    const { say, change, session } = await begun('interim');
    await say('finish');
    await change({ tenant: 'Jo', address: '15 Acacia Avenue' });
    for (const words of ['yes', 'finish anyway']) {
      await change({ postcode: `LS1 ${words.length}AP` });
      expect(await say(words)).toMatch(/^The cover will say: .* · 15 Acacia Avenue/);
    }
    expect((await session()).pending).toBe(1);
    expect(await say('yes')).toMatch(/^Your report is ready/);
  });

  it('requests an address that was removed from the record', async () => {
    const { say, change } = await begun('interim');
    await change({ address: null });
    expect(await say('finish')).toMatch(/what is the address of the property\?/);
  });

  it('stores skipped areas in the record, and follows changes of them there', async () => {
    const { say, change, record } = await begun('check-in');
    await change({ skippedAreas: 'Water Meter' });
    expect(await say('skip the keys')).toMatch(
      /Still outstanding: Electricity Meter, Gas Meter and Detectors\./,
    );
    expect((await record()).skippedAreas).toBe('Water Meter|keys');
    await change({ skippedAreas: 'water-meter' });
    expect(await say('finish')).toMatch(
      /would not cover: Electricity Meter, Gas Meter, Keys and Detectors\./,
    );
  });

  it('does not request details that are in the record', async () => {
    const chatId = randomUUID();
    const say = async (question: string) => (await client.predict(FLOW, { question, chatId })).body.text;
    expect(await say('Hello')).toMatch(/What is the address/);
    const path = `/api/v1/inspection/sessions/${chatId}/details?flowId=${FLOW}`;
    await client.send('PATCH', path, { address: ADDRESS, reportType: 'interim', assessor: 'Duty Inspector' });
    expect(await say('Kitchen')).toMatch(/^Kitchen: please send the photographs/);
  });
});

const ukDay = () =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
    .format(new Date())
    .replace('Sept', 'Sep');

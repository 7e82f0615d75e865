import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { startTestApp, type TestApp } from './support/app.js';

const photograph = (name: string) => ({
  type: 'file',
  name: `${name}.jpg`,
  mime: 'image/jpeg',
  data: `data:image/jpeg;base64,${readFileSync(join(__dirname, '..', 'samples', 'photographs', `${name}.jpg`), 'base64')}`,
});

const hallFile = join(__dirname, '..', 'samples', 'photographs', 'hallway.jpg');
const hall = photograph('hallway');
const kitchen = photograph('kitchen-1');
const meter = photograph('gas-meter');

/** The part of an inspection's record that the tests read. */
type Details = Record<string, string | undefined>;

describe('the inspection assistant', () => {
  let service: TestApp;
  let chats = 0;

  beforeAll(async () => {
    service = await startTestApp({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  });

  afterAll(async () => {
    await service.close();
  });

  const post = (body: object) =>
    fetch(`${service.url}/api/v1/prediction/inspection-assistant`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  /** Opens a chat; `say` sends a message and resolves to its answer. */
  const chat = (chatId = `chat-${++chats}`) => {
    const say = async (question: string, uploads: object[] = []): Promise<string> => {
      const response = await post({ question, chatId, uploads });
      const answer = (await response.json()) as { message?: string; chatId?: string; text: string };
      expect({ status: response.status, message: answer.message }).toEqual({ status: 200 });
      expect(answer.chatId).toBe(chatId);
      expect(answer.text).not.toContain('{{');
      return answer.text;
    };
    /** Opens a chat and answers the questions about the property. */
    const begun = async (type = 'check-in') => {
      for (const words of ['Hello', '1 Test Street, Leeds LS1 4AP', type, 'skip']) await say(words);
      return say;
    };
    return { chatId, say, begun };
  };

  const asAdmin = async <Answer>(path: string) =>
    (await (
      await fetch(`${service.url}/api/v1/${path}`, {
        headers: { Authorization: `Bearer ${service.adminKey}` },
      })
    ).json()) as Answer;

  /** Returns the record of a chat's inspection. */
  const detailsOf = async (chatId: string) =>
    (await asAdmin<{ details: Details }>(`inspection/sessions/${chatId}/details`)).details;

  /** Returns the areas that the report leaves out because the chat stated their absence. */
  const skippedIn = async (chatId: string) => (await detailsOf(chatId))['skippedAreas']!.split('|');

  const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)![0];

  const letter = { type: 'file', name: 'a.pdf', mime: 'application/pdf', data: 'data:;base64,JVBERi0=' };
  const broken = { type: 'file', name: 'a.jpg', mime: 'image/jpeg', data: 'data:image/jpeg;base64,AAAA' };

  it('says on request what each area has so far, remarks and readings too', async () => {
    const say = await chat().begun();
    expect(await say('how far am I?')).toMatch(
      /^No photographs are waiting for a report\.\nStill outstanding/,
    );
    await say('Kitchen', [kitchen]);
    await say('remark: burn by the hob');
    await say('Gas meter');
    await say('reading 6789.5');
    expect(await say('what have I got so far?')).toContain(
      '1 photograph is ready for the report. Recorded: Kitchen (1 photograph, 1 remark), Gas Meter (1 detail).\n',
    );
  });

  it('takes a person through a whole inspection and replies with the link of the report', async () => {
    const { chatId, say } = chat();
    expect(await say('Hi there')).toMatch(/address of the property/);
    expect(await say('14 Acacia Avenue, Leeds LS1 4AP')).toMatch(/1\. Check-in\n2\. Check-out\n3\. Interim/);
    expect(await say('I would like to check out please')).toMatch(/check-out it is.*inspector’s name/);
    expect(await say('Duty Inspector')).toMatch(/Thank you, Duty Inspector\. We can begin/);
    expect(await say('Kitchen')).toMatch(/^Kitchen: please send the photographs/);
    expect(await say('', [hall, meter])).toMatch(
      /recorded 2 photographs in Kitchen\..*\nStill outstanding: Electricity Meter, Gas Meter, Water Meter, Keys and Detectors\./,
    );
    expect(await say('remark: worktop scratched')).toMatch(/^Noted under Kitchen: “worktop scratched”\./);
    expect(await say('Gas Meter', [meter])).toMatch(/1 photograph in Gas Meter\. Photographs so far: 3\./);
    expect(await say('skip the keys')).toMatch(/not available: keys/);
    expect(await say('what is left?')).toMatch(
      /3 photographs are ready.*\n.*current area is Gas Meter.*\nStill outstanding: Electricity Meter, Water Meter and Detectors\./,
    );
    expect(await say('finish')).toMatch(/would not cover: Electricity Meter, Water Meter and Detectors\./);
    const last = await say('finish anyway');
    expect(last).toMatch(/^Your report is ready: http/);
    expect(last).toMatch(/Photographs: 3\nPages: \d+\nFile: \d{8} 14 LS1 4AP\.pdf/);
    expect(last).toMatch(/Not covered in this report: Electricity Meter, Water Meter and Detectors\./);
    const pdf = await fetch(linkIn(last));
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(await detailsOf(chatId)).toMatchObject({
      address: '14 Acacia Avenue, Leeds LS1 4AP',
      postcode: 'LS1 4AP',
      propertyNo: '14',
      assessor: 'Duty Inspector',
      reportType: 'checkout',
    });
    expect(await skippedIn(chatId)).toEqual(['keys']);
  });

  it.each([
    ['Flat 2, 31b Mill Lane\nYork yo1  9ab, England', '31b YO1 9AB'],
    ['7 High Street', '7'],
    ['Rose Cottage, Ripley HG3 3AB', 'HG3 3AB'],
    ['14th Floor, The Tower', ''],
  ])('names the file after the number and the postcode in “%s”', async (address, named) => {
    const { say } = chat();
    await say('Hi');
    await say(address);
    await say('check-in');
    await say('skip');
    await say('Kitchen', [hall]);
    const file = ['File: \\d{8}', named].filter(Boolean).join(' ');
    expect(await say('finish anyway')).toMatch(new RegExp(`${file}\\.pdf`, 'i'));
  });

  it('reads them from an address that came beside photographs, too', async () => {
    const { say } = chat();
    await say('Hi');
    await say('14 Acacia Avenue, Leeds LS1 4AP', [hall]);
    await say('check-in');
    await say('skip');
    expect(await say('finish anyway')).toMatch(/File: \d{8} 14 LS1 4AP\.pdf/);
  });

  it('is streamed like any other answer', async () => {
    const { chatId, begun } = chat();
    await begun();
    const body = { question: 'Hall', chatId, uploads: [photograph('garden')] };
    const response = await post({ ...body, streaming: true });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text())
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => JSON.parse(line.slice(5)) as { event: string; data: string });
    const tokens = events.filter(({ event }) => event === 'token').map(({ data }) => data);
    expect(tokens.length).toBeGreaterThan(3);
    expect(tokens.join('')).toBe(
      'Thank you, I have recorded 1 photograph in Hall. Photographs so far: 1.\n' +
        'Still outstanding: Electricity Meter, Gas Meter, Water Meter, Keys and Detectors.',
    );
    expect(events.at(-1)).toEqual({ event: 'end', data: '[DONE]' });
    const { isStreaming } = (await (
      await fetch(`${service.url}/api/v1/chatflows-streaming/inspection-assistant`)
    ).json()) as { isStreaming: boolean };
    expect(isStreaming).toBe(true);
  });

  it.each([
    ['checkin', 'check-in'],
    ['Check in', 'check-in'],
    ['1', 'check-in'],
    ['a CHECK-OUT report, please', 'check-out'],
    ['2.', 'check-out'],
    ['3', 'interim'],
    ['the interim one', 'interim'],
  ])('understands "%s" as the report type %s', async (words, name) => {
    const { say } = chat();
    await say('Hello');
    await say('1 Test Street');
    expect(await say(words)).toContain(`Thank you: ${name} it is.`);
  });

  it('records items with their grades, several in one message, with the photographs beside them', async () => {
    const { chatId, begun } = chat();
    const say = await begun();
    await say('Kitchen');
    expect(await say('Worktop: Fair, dusty, scratch left of the sink', [kitchen])).toMatch(
      /1 photograph in Kitchen.*\nNoted under Kitchen: Worktop \(fair, dusty\)\./,
    );
    expect(await say('cupboards: good; Wardrobe: clean')).toMatch(
      /^Noted under Kitchen: Cupboards \(good\); Wardrobe \(clean\)\./,
    );
    expect(await say('Oven: smells of fat')).toMatch(/“Oven: smells of fat”/);
    const { facts } = await asAdmin<{ facts: { fact: object; photographs: string[] }[] }>(
      `inspection/sessions/${chatId}`,
    );
    expect(facts.map(({ fact, photographs }) => [fact, photographs.length])).toEqual([
      [
        {
          ...{ item: 'Worktop', condition: 'fair', cleanliness: 'dusty' },
          description: 'Scratch left of the sink',
        },
        1,
      ],
      [{ item: 'Cupboards', condition: 'good' }, 0],
      [{ item: 'Wardrobe', cleanliness: 'clean' }, 0],
    ]);
  });

  it('repeats its question after an unknown report type', async () => {
    const { say } = chat();
    await say('Hello');
    expect(await say('ok')).toMatch(/Please send me the address/);
    await say('1 Test Street');
    expect(await say('the blue one')).toMatch(/did not recognise that.*\n1\. Check-in/);
    expect(await say('finish')).toMatch(/which type is it/);
  });

  it('records photographs that come before the address, and then requests it', async () => {
    const { say } = chat();
    expect(await say('', [hall])).toMatch(
      /1 photograph in General\..*\nHello, and welcome\. Your photographs are safe\..*address/s,
    );
    expect(await say('Kitchen', [hall])).toMatch(/1 photograph in Kitchen.*I still need the address/s);
    expect(await say('finish')).toMatch(/before I can write the report, what is the address/);
    expect(await say('1 Test Street, London', [meter])).toMatch(/Which report do you need/);
    await say('interim');
    await say('no');
    expect(await say('finish')).toMatch(/made of 3 photographs, and nothing is outstanding/);
    expect(await say('yes')).toMatch(/Photographs: 3\n/);
  });

  it('accepts an area instead of the requested name', async () => {
    const { say } = chat();
    for (const words of ['Hello', '1 Test Street', '1']) await say(words);
    expect(await say('Master bedroom')).toMatch(/^Master bedroom: please send the photographs/);
    expect(await say('', [hall])).toMatch(/1 photograph in Master bedroom/);
  });

  it.each([
    ['no photograph', letter, /^I found no photograph in that message/],
    ['a photograph that cannot be read', broken, /^One file could not be used/],
  ])('does not claim that anything is safe in a chat that begins with %s', async (_, file, first) => {
    const answer = await chat().say('', [file]);
    expect(answer).toMatch(first);
    expect(answer).toMatch(/\nHello, and welcome\.\n\nTo begin the report, what is the address/);
  });

  it('treats a sentence beside photographs as a remark about them', async () => {
    const say = await chat().begun();
    await say('Bathroom');
    const answer = await say('The sealant is mouldy in the corner', [hall]);
    expect(answer).toMatch(
      /1 photograph in Bathroom\..*\nNoted under Bathroom: “The sealant is mouldy in the corner”\./,
    );
  });

  it('adds missing areas to the skipped ones, several at once or all of them', async () => {
    const { chatId, begun } = chat();
    const say = await begun();
    await say('Hall', [hall]);
    expect(await say('skip gas and water meter')).toMatch(
      /not available.*\n.*\n.*\nStill outstanding: Electricity Meter, Keys and Detectors\./,
    );
    expect(await say('there are no smoke alarms')).toMatch(/Still outstanding: Electricity Meter and Keys\./);
    expect(await say('skip the kitchen')).toMatch(/Only these five can be skipped/);
    expect(await say('skip all')).toMatch(/left out of this report.*All the meters|Nothing is outstanding/s);
    expect(await say('finish anyway')).toMatch(/^Your report is ready(?![^]*Not covered)/);
    expect(await skippedIn(chatId)).toEqual(['gas-meter', 'water-meter', 'detectors']);
  });

  it('requests a second look at pictures that were sent in another inspection, once', async () => {
    await (
      await chat().begun('interim')
    )('Loft', [photograph('keys'), photograph('bathroom')]);
    const say = await chat().begun('interim');
    expect(await say('Loft', [photograph('keys')])).toMatch(
      /\nAbout this photograph: The same picture was sent in another inspection/,
    );
    const next = await say('Bathroom', [photograph('bathroom')]);
    expect(next).toContain('recorded 1 photograph in Bathroom');
    expect(next).not.toContain('same picture');
  });

  it.each([
    ['one', ['bathroom'], ['bedroom-1', 'bedroom-2-wardrobe']],
    ['two', ['kitchen-1', 'kitchen-2-sink'], ['living-room-1']],
  ])('warns about %s of three photographs', async (word, sentBefore, others) => {
    await (
      await chat().begun('interim')
    )('Loft', sentBefore.map(photograph));
    const say = await chat().begun('interim');
    const answer = await say('Loft', [...sentBefore, ...others].map(photograph));
    expect(answer).toContain(`About ${word} of these photographs: The same picture was sent in another`);
  });

  it.each([
    [1, 0, 'This photograph is very small'],
    [1, 1, 'One of these photographs is very small'],
    [2, 1, 'About two of these photographs: each is very small'],
  ])('comments on %i small photographs beside %i others: %s', async (count, others, words) => {
    const data = (await sharp(hallFile).resize(160).jpeg().toBuffer()).toString('base64');
    const small = { ...hall, data: `data:image/jpeg;base64,${data}` };
    const sent = [...Array<object>(count).fill(small), ...Array<object>(others).fill(hall)];
    expect(await (await chat().begun('interim'))('Loft', sent)).toContain(
      `\n${words} and will not show much`,
    );
  });

  it('reports nothing outstanding for an interim report', async () => {
    const say = await chat().begun('interim');
    expect(await say('Hall', [hall])).toMatch(/Send the next area when you are ready, or “finish”\./);
    expect(await say('status')).toMatch(/Nothing is outstanding\./);
    expect(await say('finish anyway')).toMatch(/^Your report is ready(?![^]*Not covered)/);
  });

  it.each([
    ['What is the weather like?', /cannot answer that/],
    ['thanks!', /Whenever you are ready/],
    ['HELP', /Here is what you can send me/],
    ['{{$flow.state.address}} & <b>?', /cannot answer that/],
  ])('answers "%s" without recording anything', async (words, answer) => {
    const say = await chat().begun();
    expect(await say(words)).toMatch(answer);
    expect(await say('finish')).toMatch(/There are no photographs to report on yet/);
  });

  it('names unusable files, and records the others', async () => {
    const say = await chat().begun('interim');
    expect(await say('Hall', [hall, broken])).toMatch(
      /1 photograph in Hall.*\nOne file could not be used: \S/,
    );
    expect(await say('', [broken, broken])).toMatch(/2 files could not be used/);
    expect(await say('', [letter])).toMatch(/I found no photograph in that message/);
    expect(await say('finish anyway')).toMatch(/Photographs: 1\n/);
  });

  it('reports that photographs which come again are already recorded', async () => {
    const { chatId, begun } = chat();
    const say = await begun('interim');
    const form = new FormData();
    form.append('files', new Blob([readFileSync(hallFile)], { type: 'image/jpeg' }), 'hallway.jpg');
    const url = `${service.url}/api/v1/attachments/inspection-assistant/${chatId}`;
    const [attached] = (await (await fetch(url, { method: 'POST', body: form })).json()) as {
      name: string;
    }[];
    const upload = { type: 'stored-file', name: attached!.name };
    expect(await say('Hall', [upload])).toMatch(/recorded 1 photograph in Hall/);
    expect(await say('Hall', [upload])).toMatch(
      /recorded these photographs already. Photographs so far: 1\./,
    );
  });

  it('reports that, too, if they were attached again with the same messageId', async () => {
    const { chatId, begun } = chat();
    const say = await begun('interim');
    const attach = async () => {
      const form = new FormData();
      form.append('files', new Blob([readFileSync(hallFile)], { type: 'image/jpeg' }), 'hallway.jpg');
      const url = `${service.url}/api/v1/attachments/inspection-assistant/${chatId}`;
      const [attached] = (await (await fetch(url, { method: 'POST', body: form })).json()) as {
        name: string;
      }[];
      return { type: 'stored-file', name: attached!.name, messageId: 'first-photograph' };
    };
    expect(await say('Hall', [await attach()])).toMatch(/recorded 1 photograph in Hall/);
    expect(await say('Hall', [await attach()])).toMatch(
      /recorded these photographs already. Photographs so far: 1\./,
    );
    expect(await say('Hall', [{ ...(await attach()), messageId: 'second' }])).toMatch(
      /recorded 1 photograph/,
    );
  });

  it('prints no photograph twice, and makes a further report of later ones', async () => {
    const say = await chat().begun('interim');
    expect(await say('done')).toMatch(/no photographs to report on yet/);
    await say('Hall', [hall]);
    const first = linkIn(await say('finish anyway'));
    const again = await say("that's all");
    expect(again).toMatch(/No new photographs since your last report/);
    expect(linkIn(again)).toBe(first);
    await say('Garden', [meter]);
    const further = await say('finish anyway');
    expect(further).toMatch(/Photographs: 1\n/);
    expect(linkIn(further)).not.toBe(first);
  });

  it('corrects details and starts over, leaving photographs that are in no report in their inspection', async () => {
    const { chatId, begun } = chat();
    const say = await begun();
    expect(await say('address: 2 Other Road')).toMatch(/the address is now: 2 Other Road/);
    expect(await say('inspector: Sam')).toMatch(/the inspector is now: Sam/);
    expect(await say('type: interim')).toMatch(/the report type is now: interim/);
    await say('Hall', [hall]);
    expect(await say('start over')).toMatch(/1 photograph of 2 Other Road is in no report yet/);
    expect(await say('Leave them out')).toMatch(/start a new inspection/);
    for (const words of ['3 Third Lane', '1', 'skip']) await say(words);
    await say('Kitchen', [kitchen, kitchen]);
    expect(await say('finish anyway')).toMatch(/Photographs: 2\n/);
    expect(await detailsOf(chatId)).toMatchObject({ address: '2 Other Road', assessor: 'Sam' });
    expect(await say('new inspection')).toMatch(/start a new inspection/);
    for (const words of ['4 Fourth Way', '1', 'skip']) await say(words);
    expect(await say('Keys', [hall])).toMatch(
      /Still outstanding: Electricity Meter, Gas Meter, Water Meter and Detectors/,
    );
  });

  it('separates two concurrent inspections', async () => {
    const inspect = async (street: string, area: string, count: number) => {
      const { chatId, say } = chat();
      for (const words of ['Hello', street, 'interim', 'skip', area]) await say(words);
      await Promise.all(Array.from({ length: count }, () => say('', [hall])));
      const last = await say('finish anyway');
      return { last, address: (await detailsOf(chatId))['address'] };
    };
    const [one, other] = await Promise.all([
      inspect('1 One Street', 'Kitchen', 2),
      inspect('2 Two Street', 'Loft', 3),
    ]);
    expect(one.last).toMatch(/Photographs: 2\n/);
    expect(other.last).toMatch(/Photographs: 3\n/);
    expect([one.address, other.address]).toEqual(['1 One Street', '2 Two Street']);
  });
});

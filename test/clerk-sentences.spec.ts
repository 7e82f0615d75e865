import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { USUAL_ROOMS } from '../web/common/usual-rooms.js';

const samples = join(__dirname, '..', 'samples');

/** The parsed message; every member is present, and empty if the message does not mention it. */
interface Understood {
  does: string;
  area: string;
  remark: string;
  asks: boolean;
  correction: object;
  details: object;
  reading: object | '';
  keys: object[] | '';
  alarm: object | '';
  intent: string;
  message: string;
  choices: string[];
  inspection: { guess?: { area: string }; skipped?: string[] };
}

/** A sentence, the state before it, and its expected meaning; `command` marks a command that must not open an area. */
interface Sentence {
  say: string;
  in?: keyof typeof known;
  /** Without `does`, anything but a remark. */
  expect: Partial<Omit<Understood, 'intent' | 'message' | 'choices' | 'inspection'>> & {
    near?: string;
    skips?: string[];
  };
  command?: true;
}

const known = {
  new: {},
  address: { stage: 'address' },
  type: { stage: 'type', address: '1 Test Street' },
  name: { stage: 'name', address: '1 Test Street', reportType: 'checkin', reportName: 'check-in' },
  areas: {
    stage: 'areas',
    address: '1 Test Street',
    reportType: 'checkin',
    reportName: 'check-in',
    assessor: '',
    pending: 3,
    areas: ['Kitchen', 'Hall', 'Bedroom'],
  },
  keys: {
    ...{ stage: 'areas', address: '1 Test Street', reportType: 'checkin', reportName: 'check-in' },
    ...{ assessor: '', pending: 3, areas: ['Kitchen', 'Hall', 'Keys'], current: 'Keys' },
    last: { photographs: 0, remark: true },
  },
  returned: {
    ...{ stage: 'areas', address: '1 Test Street', reportType: 'checkout', reportName: 'check-out' },
    ...{ assessor: '', pending: 3, areas: ['Kitchen', 'Hall', 'Keys'], current: 'Keys' },
    last: { photographs: 0, remark: true },
  },
  kitchen: {
    ...{ stage: 'areas', address: '1 Test Street', reportType: 'checkin', reportName: 'check-in' },
    ...{ assessor: '', pending: 3, areas: ['Kitchen', 'Hall', 'Bedroom'], current: 'Kitchen' },
    last: { photographs: 2, remark: false },
  },
  meter: {
    ...{ stage: 'areas', address: '1 Test Street', reportType: 'checkin', reportName: 'check-in' },
    ...{ assessor: '', pending: 3, areas: ['Kitchen', 'Hall', 'Gas Meter'], current: 'Gas Meter' },
    last: { photographs: 1, remark: false },
  },
};

const sentences = JSON.parse(
  readFileSync(join(__dirname, 'fixtures', 'clerk-sentences.json'), 'utf8'),
) as Sentence[];

interface Intent {
  name: string;
  examples: string[];
}

/** The code of the sample flow, as the flow's file names it. */
function sampleCode(): string {
  const flow = JSON.parse(readFileSync(join(samples, 'inspection-assistant.json'), 'utf8')) as {
    nodes: { id: string; config: { code?: { files: string[] } } }[];
  };
  const { files } = flow.nodes.find(({ id }) => id === 'understand')!.config.code!;
  return files.map((name) => readFileSync(join(samples, name), 'utf8')).join('\n');
}

const INPUTS = ['$question', '$uploads', '$inspection', '$record', '$things', '$flow', '$vars'];

/** A recorded thing, as far as the sample reads it. */
type Thing = { id: string; area: string; kind?: string; text?: string };

function understanding(
  vars = {},
): (question: string, uploads: number, inspection: object, things?: Thing[]) => Understood {
  const code = sampleCode();
  const run = compileFunction(code, INPUTS) as (...inputs: unknown[]) => Understood;
  return (question, uploads, inspection, things) =>
    run(question, uploads, inspection, recordOf(inspection), things, { executionId: 'run' }, vars);
}

function intents(): Intent[] {
  const code = sampleCode().replace(/return whole\(understood\(\)\);\s*$/, 'return INTENTS;');
  return (compileFunction(code, INPUTS) as (...inputs: unknown[]) => Intent[])('', 0, {}, {}, [], {}, {});
}

/** Returns the record of an inspection whose details all come from the chat. */
function recordOf(inspection: {
  address?: string;
  reportType?: string;
  assessor?: string;
  skipped?: string[];
}) {
  const { address, reportType, assessor, skipped } = inspection;
  const members = Object.entries({ address, reportType, assessor, skippedAreas: skipped?.join('|') });
  return Object.fromEntries(members.filter(([, value]) => value));
}

it('offers the rooms that the pages offer', () => {
  const code = readFileSync(join(samples, 'inspection-assistant', 'area-names.js'), 'utf8');
  expect((compileFunction(`${code}; return USUAL_ROOMS;`) as () => string[])()).toEqual(USUAL_ROOMS);
});

describe('the sentences of clerks', () => {
  const understand = understanding();
  const of = ({ say, in: at = 'areas' }: Sentence) => understand(say, 0, known[at]);

  it.each(sentences.map((sentence) => [sentence.in ?? 'areas', sentence.say, sentence] as const))(
    '%s: “%s”',
    (_at, _say, sentence) => {
      const { near, skips, ...expected } = sentence.expect;
      const understood = of(sentence);
      expect(understood).toMatchObject(expected);
      if (expected.does === 'capture') {
        expect(understood.area).toBe(expected.area ?? '');
        expect(understood.remark).toBe(expected.remark ?? '');
      }
      if (near !== undefined) expect(understood.inspection.guess?.area).toBe(near);
      if (skips) expect(understood.inspection.skipped).toEqual(skips);
    },
  );

  it('are six hundred and more, and fifty of them are commands that open no area', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(600);
    const commands = sentences.filter(({ command }) => command);
    expect(commands.length).toBeGreaterThanOrEqual(50);
    expect(commands.filter((sentence) => of(sentence).area !== '').map(({ say }) => say)).toEqual([]);
  });

  it('are not asked back where they are plain commands, but for one in ten', () => {
    const commands = sentences.filter(({ command }) => command);
    const asked = commands.filter((sentence) => of(sentence).asks).map(({ say }) => say);
    expect(commands.length).toBeGreaterThanOrEqual(100);
    expect(asked.length).toBeLessThanOrEqual(commands.length / 10);
  });

  it.each([0, 1])('become remarks only where they are, beside %i photographs', (uploads) => {
    const wrong = sentences.filter(({ say, in: at = 'areas', expect: { remark } }) => {
      return remark === undefined && understand(say, uploads, known[at]).remark !== '';
    });
    expect(wrong.map(({ say }) => say)).toEqual([]);
  });

  it.each([
    ['Bathroom - sink', 'Bathroom', 'sink'],
    ['Bathroom: sink', 'Bathroom', 'sink'],
    ['Hall - ceiling', 'Hall', 'ceiling'],
    ['Bedroom 1: curtains', 'Bedroom 1', 'curtains'],
    ['Bathroom: good', 'Bathroom', 'good'],
    ['Bathroom - sealant mouldy', 'Bathroom', 'sealant mouldy'],
    ['Bathroom - zzz', 'Bathroom', ''],
    ['Bathroom - done', 'Bathroom', ''],
  ])('file photographs under the area that they name first: “%s”', (say, area, remark) =>
    expect(understand(say, 1, known.kitchen)).toMatchObject({ does: 'capture', area, remark }),
  );

  it.each(intents().flatMap(({ name, examples }) => examples.map((say) => [say, name] as const)))(
    'are of the intent that names them as an example: “%s” is %s',
    // Items belong to an area.
    (say, name) =>
      expect(understand(say, 0, known[name === 'observe' ? 'kitchen' : 'areas']).intent).toBe(name),
  );

  it('ask back with chips, each of which does what it says', () => {
    const answer = (say: string, chip: string, at: keyof typeof known = 'keys') => {
      const asked = understand(say, 0, known[at]);
      expect(asked.choices).toContain(chip);
      return understand(chip, 0, asked.inspection);
    };
    expect(answer('new edition', 'Note it as a remark under Keys')).toMatchObject({
      ...{ does: 'capture', remark: 'new edition' },
    });
    expect(answer('new edition', 'No, leave it out')).toMatchObject({ does: 'say', remark: '' });
    expect(answer('the reading is 04713', 'Reading of Gas Meter')).toMatchObject({
      ...{ does: 'capture', area: 'Gas Meter', reading: { value: '04713' }, remark: '' },
    });
    expect(answer('check out', 'Change the type to check-out')).toMatchObject({
      details: { reportType: 'checkout' },
    });
    expect(answer('actually its bedroom 2', 'Move the last photographs to Bedroom 2', 'areas')).toMatchObject(
      { does: 'correct', correction: { target: 'last-batch', area: 'Bedroom 2' } },
    );
    expect(answer('kitchen tap dripping', 'Note it under Kitchen')).toMatchObject({
      ...{ area: 'Kitchen', remark: 'kitchen tap dripping' },
    });
    const asked = understand('new edition', 0, known.keys);
    expect(understand('2', 0, asked.inspection)).toMatchObject({ does: 'say', remark: '' });
    expect(understand('no good', 0, asked.inspection).message).not.toMatch(/nothing was noted/);
    for (const no of ['no thats fine', 'no, leave it', 'no need', 'nope, it’s ok', 'dont'])
      expect(understand(no, 0, asked.inspection)).toMatchObject({
        ...{ does: 'say', asks: false, inspection: { asked: undefined } },
      });
    expect(understand('yes', 0, asked.inspection)).toMatchObject({ remark: 'new edition' });
    expect(understand('Kitchen', 0, asked.inspection)).toMatchObject({ area: 'Kitchen', remark: '' });
    expect(understand('help', 0, asked.inspection).inspection).toMatchObject({
      asked: expect.arrayContaining([expect.objectContaining({ chip: 'No, leave it out' })]),
    });
  });

  it('ask what becomes of photographs that no report has before the next inspection', () => {
    const asked = understand('start over', 0, known.areas);
    expect(asked.choices).toEqual(['Make their report first', 'Leave them out', 'Carry on here']);
    expect(understand('Make their report first', 0, asked.inspection).does).toBe('finish');
    expect(understand('carry on here', 0, asked.inspection).inspection).toMatchObject({ pending: 3 });
    const fresh = understand('Leave them out', 0, asked.inspection);
    expect(fresh.inspection).toMatchObject({ session: 'run', pending: 0, areas: [], stage: 'address' });
    const none = understand('new inspection', 0, { ...known.areas, pending: 0 });
    expect(none.inspection).toMatchObject({ session: 'run', stage: 'address' });
  });

  it('lead to a chat of its own where the client keeps one for each inspection, and leave this one as it is', () => {
    const onPage = understanding({ newChat: 'New inspection', inspector: 'Sam Clerk' });
    const asked = onPage('start over', 0, known.areas);
    expect(asked.choices).toEqual(['Make their report first', 'New inspection', 'Carry on here']);
    for (const words of ['New inspection', '2']) {
      const { choices, inspection } = onPage(words, 0, asked.inspection);
      expect(choices).toEqual(['New inspection']);
      expect(inspection).toMatchObject({ session: '', pending: 3, areas: known.areas.areas, stage: 'areas' });
    }
    expect(onPage('new inspection', 0, { ...known.areas, pending: 0 }).choices).toEqual(['New inspection']);
    // One that holds nothing yet is the new one.
    const unused = onPage('new inspection', 0, known.new);
    expect(unused).toMatchObject({ choices: [], inspection: { session: '', stage: 'address' } });
    expect(onPage('check-in', 0, known.type).choices).toEqual(['Sam Clerk', 'Skip']);
    for (const value of [7, {}, null, ''])
      expect(understanding({ newChat: value })('new inspection', 0, known.new).inspection).toMatchObject({
        session: 'run',
      });
  });

  it('that say where something was are about the last message: its photographs, or its remark', () => {
    expect(understand('that was the hallway', 0, known.meter)).toMatchObject({
      correction: { target: 'last-batch', area: 'Hallway' },
    });
    expect(understand('that was the hallway', 0, known.keys)).toMatchObject({
      correction: { target: 'last-remark', area: 'Hallway' },
    });
    const neither = { ...known.keys, last: { photographs: 0, remark: false } };
    expect(understand('that was the hallway', 0, neither)).toMatchObject({ does: 'say', asks: true });
  });

  it.each([
    ['reading', '04731', { reading: { value: '04731', photographs: ['p'] } }],
    ['keys', '2 front door', { keys: [{ kind: 'Front door', count: 2, photographs: ['p'] }] }],
    ['alarm', 'tested', { alarm: { kind: 'Heat alarm', tested: true, photographs: ['p'] } }],
  ])('that answer a question of %s cite its photograph, wherever it was moved', (kind, say, expected) => {
    const inspection = { ...known.areas, awaiting: { kind, area: 'Gas Meter', photographs: ['p'] } };
    const now = (area: string) => [{ id: 'p', area }];
    const moved = understand('that was the heat alarm', 0, inspection, now('Gas Meter'));
    for (const each of [inspection, moved.inspection])
      expect(understand(say, 0, each, now('Heat alarm'))).toMatchObject({
        ...{ does: 'capture', area: 'Heat alarm' },
        ...expected,
      });
    expect(understand(say, 0, inspection, now('Gas Meter')).area).toBe('Gas Meter');
  });

  it('that name the next area after a remark are noted, and the area is offered', () => {
    const { inspection, ...noted } = understand('tap drips, now the hall', 0, known.kitchen);
    expect(noted).toMatchObject({ does: 'capture', area: '', remark: 'tap drips' });
    expect(understand('Open Hall', 0, inspection)).toMatchObject({
      does: 'capture',
      area: 'Hall',
      remark: '',
    });
    expect(understand('yes', 0, inspection)).toMatchObject({ does: 'capture', area: 'Hall' });
  });

  it('that name the next area after a remark open it for what is sent next, unless that names another', () => {
    const { inspection } = understand('tap drips, now the hall', 0, known.kitchen);
    expect(understand('', 2, inspection)).toMatchObject({ does: 'capture', area: 'Hall', remark: '' });
    expect(understand('walls scuffed', 0, inspection)).toMatchObject({
      area: 'Hall',
      remark: 'walls scuffed',
    });
    expect(understand('Bathroom', 1, inspection)).toMatchObject({ area: 'Bathroom' });
    const asked = understand('new edition', 0, inspection);
    expect(understand('Note it as a remark under Hall', 0, asked.inspection)).toMatchObject({ area: 'Hall' });
    const then = (say: string) => understand('', 2, understand(say, 0, inspection).inspection);
    for (const say of ['what have you recorded?', 'turn the last photo left', 'help', 'finish', 'status'])
      expect(then(say)).toMatchObject({ does: 'capture', area: 'Hall' });
    for (const say of ['undo', 'no'])
      expect(then(say)).toMatchObject({ does: 'capture', area: '', inspection: { opens: undefined } });
  });

  it('that hold several facts offer each by itself, and then the others', () => {
    const all =
      'elec 12345 gas 6789.5, water n/a, 2x front 1x mortice 1 fob, co alarm in boiler cupboard tested ok';
    const asked = understand(all, 0, known.areas);
    expect(asked).toMatchObject({ does: 'say', asks: true, remark: '' });
    const chips = ['Elec 12345', 'Gas 6789.5', 'Water n/a', '2x front 1x mortice 1 fob'];
    expect(asked.choices).toEqual([...chips, 'Co alarm in boiler cupboard tested ok', 'Note it as a remark']);
    const gas = understand('Gas 6789.5', 0, asked.inspection);
    expect(gas).toMatchObject({ does: 'capture', area: 'Gas Meter', reading: { value: '6789.5' } });
    const elec = understand('1', 0, gas.inspection);
    expect(elec).toMatchObject({ area: 'Electricity Meter', reading: { value: '12345' } });
    const water = understand('Water n/a', 0, elec.inspection);
    expect(water).toMatchObject({ details: { skippedAreas: 'water-meter' } });
    const keys = understand('2x front 1x mortice 1 fob', 0, water.inspection);
    expect(keys).toMatchObject({ area: 'Keys', keys: [{ count: 2 }, { count: 1 }, { count: 1 }] });
    expect(understand('1', 0, keys.inspection)).toMatchObject({
      alarm: { kind: 'CO alarm', place: 'Boiler cupboard', tested: true },
    });
    const whole = understand('Note it as a remark', 0, asked.inspection);
    expect(whole).toMatchObject({ does: 'capture', remark: all, inspection: { asked: undefined } });
  });

  it.each([
    ['gas: 04567, electric: 12345', ['Gas: 04567', 'Electric: 12345', 'Note it as a remark']],
    ['gas meter 04567\nelectric meter 12345', ['Gas meter 04567', 'Electric meter 12345']],
    ['elec was about 12345 gas unreadable', ['Reading of Electricity Meter', 'Note it as a remark']],
    ['gas unreadable elec about 12345', ['Reading of Electricity Meter', 'Note it as a remark']],
  ])('offer a number as the reading of no other meter than its own: “%s”', (say, choices) => {
    const asked = understand(say, 0, known.areas);
    expect(asked.choices.slice(0, choices.length)).toEqual(choices);
  });

  it.each([
    ['Elec meter serial number 12A3456789', 'Note it as a remark under Electricity Meter'],
    ['gas meter no. 4471102', 'Note it as a remark under Gas Meter'],
    ['Alarm code 1234', 'Note it as a remark'],
    ['key safe code is 0451', 'Note it as a remark'],
  ])('offer no number of another kind as a reading: “%s”', (say, note) => {
    const asked = understand(say, 0, known.areas);
    expect(asked.choices).toEqual([note, 'No, leave it out']);
    expect(understand('1', 0, asked.inspection)).toMatchObject({ does: 'capture', remark: say, reading: '' });
  });

  it.each([
    ['serial G4A12345', 'G4A12345'],
    ['gas meter serial no: G4A12345', 'G4A12345'],
    ['The meter serial number is E6S-1122', 'E6S-1122'],
  ])('store the serial number of a meter with its reading: “%s”', (say, serial) => {
    const meter = { ...known.meter, read: 'Gas Meter', readings: { 'gas meter': 'fact' } };
    const reading = [{ id: 'fact', area: 'Gas Meter', kind: 'reading' }];
    expect(understand(say, 0, meter, reading)).toMatchObject({
      does: 'correct',
      correction: { target: 'fact', fact: { serial } },
    });
    expect(understand(say, 0, known.areas).does).toBe('say');
    const other = understand('electricity meter serial E1234', 0, meter, reading);
    expect(other).toMatchObject({ does: 'say', correction: {} });
  });

  it('answer the question for a reading with the serial number', () => {
    const awaiting = { kind: 'reading', area: 'Gas Meter', photographs: ['p'] };
    const photographs = [{ id: 'p', area: 'Gas Meter', kind: 'photograph' }];
    const inspection = { ...known.meter, awaiting };
    expect(understand('04567 m3, serial G4A12345', 0, inspection, photographs)).toMatchObject({
      ...{ does: 'capture', area: 'Gas Meter' },
      reading: { value: '04567', unit: 'm3', serial: 'G4A12345', photographs: ['p'] },
    });
  });

  const rate = (register: string, value: string, unit?: string) => ({
    area: 'Electricity Meter',
    reading: { value, register, ...(unit === undefined ? {} : { unit }) },
  });
  it.each([
    ['Day 12345 night 54321', 'Day 12345', rate('Day', '12345'), rate('Night', '54321')],
    ['Electric meter day: 12345, night: 54321', 'Day 12345', rate('Day', '12345'), rate('Night', '54321')],
    ['elec low 04512 and normal 11872', 'Low 04512', rate('Low', '04512'), rate('Normal', '11872')],
    [
      'reading 1234 kwh day, 567 kwh night',
      'Day 1234',
      rate('Day', '1234', 'kwh'),
      rate('Night', '567', 'kwh'),
    ],
  ])('offer both readings of a meter with two rates: “%s”', (say, chip, first, second) => {
    const asked = understand(say, 0, known.kitchen);
    expect(asked).toMatchObject({ does: 'say', asks: true });
    expect([asked.choices[0], asked.choices.at(-1)]).toEqual([
      chip,
      'Note it as a remark under Electricity Meter',
    ]);
    const one = understand('1', 0, asked.inspection);
    expect(one).toMatchObject({ does: 'capture', ...first });
    expect(understand('1', 0, one.inspection)).toMatchObject({ does: 'capture', ...second });
  });

  it.each(['day light lamp 100 and night lamp 200 broken', 'day 12345', 'day 12345 day 54321'])(
    'offer no two readings where there are none: “%s”',
    (say) => expect(understand(say, 0, known.kitchen).choices).not.toContain('Night 54321'),
  );

  it('that name several rooms offer the remark of each under its room', () => {
    const asked = understand('Bedroom 2: carpet stained.\nHall: walls scuffed', 0, known.kitchen);
    const hall = understand('2', 0, asked.inspection);
    expect(hall).toMatchObject({ does: 'capture', area: 'Hall', remark: 'walls scuffed' });
    expect(understand('1', 0, hall.inspection)).toMatchObject({
      ...{ area: 'Bedroom 2', remark: 'carpet stained.' },
    });
  });

  it('that correct what was counted or noted ask whether they are instead of it', () => {
    const counted = [{ id: 'k', area: 'Keys', kind: 'keys', text: '2 × Yale' }];
    const keys = understand('no, 3 keys', 0, known.keys, counted);
    expect(keys).toMatchObject({ does: 'say', asks: true, keys: '' });
    const removed = understand('Remove the last count first', 0, keys.inspection, counted);
    expect(removed).toMatchObject({ correction: { target: 'last-keys', withdrawn: true } });
    expect(understand('Note 3 × Key', 0, removed.inspection)).toMatchObject({ keys: [{ count: 3 }] });
    expect(understand('1 fob', 0, known.keys, counted)).toMatchObject({ keys: [{ kind: 'Fob' }] });
    expect(understand('no, 3 keys', 0, known.keys, [])).toMatchObject({ keys: [{ count: 3 }] });

    const noted = [{ id: 'r', area: 'Kitchen', kind: 'remark', text: 'Hob chipped, oven working' }];
    const words = understand('cracked, not chipped', 0, known.kitchen, noted);
    expect(words).toMatchObject({ does: 'say', remark: '' });
    expect(understand('1', 0, words.inspection, noted)).toMatchObject({
      correction: { target: 'r', text: 'Hob cracked, oven working' },
    });
    expect(understand('2', 0, words.inspection, noted)).toMatchObject({ remark: 'cracked, not chipped' });
    for (const say of ['tap not working', 'worktop cracked, not chipped through'])
      expect(understand(say, 0, known.kitchen, noted)).toMatchObject({ remark: say });
  });

  it('that end with an order note what comes before it, or ask which comes first, and never note the order', () => {
    const finished = understand('hob chipped, done', 0, known.kitchen);
    expect(finished).toMatchObject({ does: 'capture', remark: 'hob chipped' });
    expect(understand('Finish', 0, finished.inspection).does).toBe('finish');
    const asked = understand('hall now, walls marked, undo the last pic', 0, known.kitchen);
    expect(asked.choices).toEqual(['Undo the last pic', 'Note “walls marked”']);
    expect(understand('1', 0, asked.inspection)).toMatchObject({
      correction: { target: 'last', withdrawn: true },
    });
    expect(understand('2', 0, asked.inspection)).toMatchObject({ area: 'Hall', remark: 'walls marked' });
    const next = understand('landing now, smoke alarm tested', 0, known.kitchen);
    expect(understand('Open Landing', 0, next.inspection)).toMatchObject({ area: 'Landing', remark: '' });
    const doubted = understand('bedroom 1, wardrobe door off its runner', 0, known.kitchen);
    expect(doubted.choices[0]).toBe('Note it as a remark under Bedroom 1');
  });

  it.each(['forget it', 'never mind', 'leave it', 'no wait', 'not done yet', 'hang on'])(
    'that decline the report take nothing back: “%s”',
    (say) =>
      expect(understand(say, 0, { ...known.kitchen, finishing: true })).toMatchObject({
        ...{ does: 'say', asks: false, inspection: { finishing: false } },
      }),
  );

  it('are the same orders whatever courtesies and oaths accompany them', () => {
    const orders = [
      ...['undo that', 'delete the last photo', 'delete that remark', 'move the last photo to the hall'],
      ...['that was the hall not the kitchen', 'rename kitchen to diner', 'turn the last pic left', 'finish'],
      ...['make the report', 'what have i recorded', 'what is missing', 'skip the gas meter', 'help'],
      ...['change the type to interim', 'tenant: Mr Smith', 'bring it back', 'scrap the last remark'],
    ];
    const before = ['ok ', 'right, ', 'no ', 'sorry ', 'can you ', 'please ', 'hang on ', 'mate ', 'um '];
    const after = [
      ' please',
      ' thanks mate',
      ' now',
      ' will you',
      ' for me',
      ' pls ta',
      '!',
      ' actually',
      ' then',
    ];
    const meant = (say: string) => {
      const { intent, details, correction } = understand(say, 0, known.kitchen) as Understood & {
        details: object;
      };
      return { intent, details, correction };
    };
    const wrong = orders.flatMap((order) => {
      const expected = JSON.stringify(meant(order));
      const all = before.flatMap((one) => ['', ...after].map((other) => `${one}${order}${other}`));
      return [...all, `shit, ${order}`].filter((say) => JSON.stringify(meant(say)) !== expected);
    });
    expect(wrong).toEqual([]);
    expect(understand('Jane Smith thanks', 0, known.name)).toMatchObject({
      details: { assessor: 'Jane Smith' },
    });
  });

  it('that change words change the latest remark that holds them', () => {
    const remark = (id: string, text: string) => ({ id, area: 'Kitchen', kind: 'remark', text });
    const things = [
      remark('b', 'Tap loose'),
      { id: 'p', area: 'Kitchen', kind: 'photograph' },
      remark('a', 'Tap loose, sink stained'),
    ];
    const change = (say: string) => understand(say, 0, known.kitchen, things).correction;
    expect(change('change loose to dripping')).toEqual({ target: 'b', text: 'Tap dripping' });
    expect(change('change sink stained to sink chipped')).toEqual({
      ...{ target: 'a', text: 'Tap loose, sink chipped' },
    });
    expect(change('change Bedroom to Bedroom 2')).toMatchObject({ rename: { from: 'Bedroom' } });
    expect(understand('change hob to oven', 0, known.kitchen, things)).toMatchObject({
      ...{ does: 'say', remark: '', asks: true },
    });
  });

  it('that move photographs offer to move the remark of their message', () => {
    const both = { ...known.kitchen, last: { photographs: 2, remark: true } };
    const moved = understand('that was the hallway', 0, both);
    expect(moved).toMatchObject({ correction: { target: 'last-batch', area: 'Hallway' } });
    expect(understand('Move its remark to Hallway too', 0, moved.inspection)).toMatchObject({
      correction: { target: 'last-remark', area: 'Hallway' },
    });
    expect(understand('Bathroom', 0, moved.inspection)).toMatchObject({ does: 'capture', area: 'Bathroom' });
  });

  it('that say a photograph lies on its side ask which way to turn it', () => {
    const asked = understand('last photo is sideways', 0, known.kitchen);
    expect(understand('Turn it left', 0, asked.inspection)).toMatchObject({
      ...{ does: 'correct', correction: { target: 'last', turn: 270 } },
    });
  });

  it('that answer a question whose photographs are gone are understood without it', () => {
    const awaiting = { kind: 'reading', area: 'Gas Meter', photographs: ['p'] };
    expect(understand('04731', 0, { ...known.areas, awaiting }, [])).toMatchObject({
      ...{ does: 'say', asks: true, message: 'Which meter reads 04731?' },
    });
  });

  it('lose no photograph, whatever accompanies it', () => {
    for (const sentence of sentences)
      expect({
        say: sentence.say,
        does: understand(sentence.say, 1, known[sentence.in ?? 'areas']).does,
      }).toEqual({
        say: sentence.say,
        does: 'capture',
      });
  });

  it.each([
    ['a word of 100,000 letters', 'a'.repeat(100_000)],
    ['100,000 blanks and a word', `${' '.repeat(100_000)}x`],
    ['commas', ','.repeat(5_000)],
    ['“no no no …”', 'no '.repeat(3_000)],
    ['“the the the …”', 'the '.repeat(74)],
    ['house numbers', '1 a '.repeat(74)],
    ['control characters', '\u0000\u202E\uD800'],
    ['nothing', ''],
    ['a template', '{{$flow.state.inspection}}'],
    ['a name of every object', '__proto__ constructor'],
    ['“tested and it tested and it …”', `${'tested and it '.repeat(21)}x`],
    ['“all the tested the all the …”', `${'all the tested the '.repeat(15)}x`],
    ['“smoke alarm smoke alarm …”', 'smoke alarm '.repeat(24)],
    ['“2 yale and 2 yale and …”', `${'2 yale and '.repeat(26)}x`],
  ])('are answered: %s', (_what, say) => {
    const awaiting = ['reading', 'keys', 'alarm'].map((kind) => ({
      ...known.areas,
      awaiting: { kind, area: 'Keys' },
    }));
    for (const at of [...Object.values(known), ...awaiting])
      for (const uploads of [0, 1]) expect(typeof understand(say, uploads, at).does).toBe('string');
  });

  it('bring back the photographs that an undo took, and nothing else', () => {
    const after = (undone: number, say = 'bring it back') => understand(say, 0, { ...known.kitchen, undone });
    expect(after(2).correction).toEqual({ target: 'last', count: 2, withdrawn: false });
    expect(after(1, 'restore that').correction).toEqual({ target: 'last', count: 1, withdrawn: false });
    expect(after(0)).toMatchObject({ does: 'say', correction: {} });
    expect(understand('status', 0, { ...known.kitchen, undone: 2 }).inspection).toMatchObject({ undone: 2 });
    expect(understand('Hall', 0, { ...known.kitchen, undone: 2 }).inspection).toMatchObject({
      undone: undefined,
    });
  });

  it('match skipped areas in other words, and areas in any spelling', () => {
    const skips = understand('skip gas meter', 0, { ...known.areas, skipped: ['smoke alarm'] });
    expect(skips).toMatchObject({ details: { skippedAreas: 'smoke alarm|gas-meter' } });
    const renamed = understand('rename kid’s_room to Study', 0, { ...known.areas, areas: ["Kid's room"] });
    expect(renamed).toMatchObject({ correction: { rename: { from: "Kid's room", to: 'Study' } } });
  });

  it('open a near miss of an area once it is confirmed, and move photographs that came with it', () => {
    const asked = understand('bedrom 1', 0, known.areas);
    expect(understand('yes', 0, asked.inspection)).toMatchObject({ does: 'capture', area: 'Bedroom 1' });
    expect(understand('No, open “bedrom 1”', 0, asked.inspection)).toMatchObject({ area: 'bedrom 1' });
    expect(understand('no', 0, asked.inspection)).toMatchObject({ does: 'say', area: '' });
    const sent = understand('bedrom 1', 2, known.areas);
    expect(sent).toMatchObject({ does: 'capture', area: '' });
    expect(understand('yes', 0, sent.inspection)).toMatchObject({
      does: 'correct',
      correction: { target: 'last-batch', area: 'Bedroom 1' },
    });
  });

  type Answer = readonly [kind: string, area: string, say: string, expected: object];
  const counts = (...keys: [kind: string, count: number][]) => ({
    keys: keys.map(([kind, count]) => ({ kind, count })),
  });
  const alarm = (place: string, tested: boolean, result?: string) => ({
    alarm: { kind: 'Smoke alarm', place, tested, ...(result === undefined ? {} : { result }) },
  });
  const untested = (say: string): Answer => [
    ...(['alarm', 'Smoke alarm', say] as const),
    { alarm: { kind: 'Smoke alarm', tested: false } },
  ];
  const noKeys = (say: string): Answer => ['keys', 'Keys', say, { keys: '' }];
  const noAlarm = (say: string): Answer => ['alarm', 'Smoke alarm', say, { alarm: '' }];

  it.each<Answer>([
    ['reading', 'Gas Meter', '02846', { reading: { value: '02846' } }],
    ['reading', 'Gas Meter', 'it reads 02846.319 m3', { reading: { value: '02846.319', unit: 'm3' } }],
    [
      'keys',
      'Keys',
      '2 front door, 1 window',
      {
        keys: [
          { kind: 'Front door', count: 2 },
          { kind: 'Window', count: 1 },
        ],
      },
    ],
    ['keys', 'Keys', 'three', { keys: [{ kind: 'Key', count: 3 }] }],
    [
      'alarm',
      'Smoke alarm',
      'landing, tested',
      { alarm: { kind: 'Smoke alarm', place: 'Landing', tested: true } },
    ],
    ['alarm', 'Smoke alarm', 'Not tested', { alarm: { kind: 'Smoke alarm', tested: false } }],
    ['keys', 'Keys', 'front door: 2, back door: 1', counts(['Front door', 2], ['Back door', 1])],
    ['keys', 'Keys', 'Front door - 2', counts(['Front door', 2])],
    ['keys', 'Keys', '2 yale 1 mortice and a fob', counts(['Yale', 2], ['Mortice', 1], ['Fob', 1])],
    ['keys', 'Keys', '2 keys', counts(['Key', 2])],
    ['keys', 'Keys', '2 of 3 returned', { keys: [{ kind: 'Key', count: 3, returned: 2 }] }],
    ...['one is bent', 'one missing', 'there is a red tag on the ring', 'the tenant has a spare'].map(noKeys),
    ...['not a full set', '2 sets of 3', '0', 'a tag'].map(noKeys),
    ...["couldn't test", 'cannot be tested', 'unable to test, too high', 'not yet tested'].map(untested),
    ...['Failed test', 'test failed', "doesn't work", 'not sounding', "didn't beep", 'no beep'].map(untested),
    ...['tenant to test', 'needs to be tested', 'to be tested'].map(untested),
    ['alarm', 'Smoke alarm', 'Hall - couldn’t reach to test', alarm('Hall', false, "Couldn't reach to test")],
    ['alarm', 'Smoke alarm', 'Landing, silent', alarm('Landing', false, 'Silent')],
    ['alarm', 'Smoke alarm', 'Ceiling in hall, tested', alarm('Ceiling in hall', true)],
    ['alarm', 'Smoke alarm', 'By the front door, tested ok', alarm('By the front door', true)],
    ['alarm', 'Smoke alarm', 'tested on the landing', alarm('Landing', true)],
    ['alarm', 'Smoke alarm', 'Lounge, beeps when pressed', alarm('Lounge', true)],
    [
      'alarm',
      'Smoke alarm',
      'outside bedroom 2',
      { alarm: { kind: 'Smoke alarm', place: 'Outside bedroom 2' } },
    ],
    ...['low battery beep', 'battery missing', 'tested but low battery', 'expired, tested'].map(noAlarm),
    ['alarm', 'Smoke alarm', 'Landing, tested ok, exp 2031', alarm('Landing', true, 'Exp 2031')],
    ...['4 sockets', '2 photos', '6 chairs, 1 table'].map(noKeys),
    ['keys', 'Keys', '2 window, 1 shed', counts(['Window', 2], ['Shed', 1])],
    ['keys', 'Keys', '1 gate, 2 cupboard', counts(['Gate', 1], ['Cupboard', 2])],
    ['keys', 'Keys', '2 radiator keys', counts(['Radiator', 2])],
    ['reading', 'Gas Meter', 'skip', { does: 'say' }],
    ['reading', 'Gas Meter', 'Kitchen', { does: 'capture', area: 'Kitchen', reading: '' }],
    ['keys', 'Keys', 'finish', { does: 'finish' }],
  ])('after a photograph of %s in %s: “%s”', (kind, area, say, expected) => {
    expect(understand(say, 0, { ...known.areas, awaiting: { kind, area } })).toMatchObject(expected);
  });
});

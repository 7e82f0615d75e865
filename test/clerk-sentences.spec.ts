import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

const samples = join(__dirname, '..', 'samples');

/** The parsed message; every member is present, and empty if the message does not mention it. */
interface Understood {
  does: string;
  area: string;
  remark: string;
  asks: boolean;
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
  expect: { does?: string; asks?: true; area?: string; remark?: string; near?: string; skips?: string[] };
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

const INPUTS = ['$question', '$uploads', '$inspection', '$record', '$flow', '$vars'];

function understanding(vars = {}): (question: string, uploads: number, inspection: object) => Understood {
  const code = sampleCode();
  const run = compileFunction(code, INPUTS) as (...inputs: unknown[]) => Understood;
  return (question, uploads, inspection) =>
    run(question, uploads, inspection, recordOf(inspection), { executionId: 'run' }, vars);
}

function intents(): Intent[] {
  const code = sampleCode().replace(/return whole\(understood\(\)\);\s*$/, 'return INTENTS;');
  return (compileFunction(code, INPUTS) as (...inputs: unknown[]) => Intent[])('', 0, {}, {}, {}, {});
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

  it('are five hundred and more, and fifty of them are commands that open no area', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(500);
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

  it.each(intents().flatMap(({ name, examples }) => examples.map((say) => [say, name] as const)))(
    'are of the intent that names them as an example: “%s” is %s',
    (say, name) => expect(understand(say, 0, known.areas).intent).toBe(name),
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

  it('that answer a question are about its photograph, wherever it was moved', () => {
    const awaiting = { kind: 'reading', area: 'Gas Meter', photographs: ['p'] };
    const moved = understand('that was the electricity meter', 0, { ...known.areas, awaiting });
    expect(understand('04731', 0, moved.inspection)).toMatchObject({
      ...{ does: 'capture', area: 'Electricity Meter' },
      reading: { value: '04731', photographs: ['p'] },
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
  ])('are answered: %s', (_what, say) => {
    for (const at of Object.values(known))
      for (const uploads of [0, 1]) expect(typeof understand(say, uploads, at).does).toBe('string');
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

  it.each([
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
    ['reading', 'Gas Meter', 'skip', { does: 'say' }],
    ['reading', 'Gas Meter', 'Kitchen', { does: 'capture', area: 'Kitchen', reading: '' }],
    ['keys', 'Keys', 'finish', { does: 'finish' }],
  ])('after a photograph of %s in %s: “%s”', (kind, area, say, expected) => {
    expect(understand(say, 0, { ...known.areas, awaiting: { kind, area } })).toMatchObject(expected);
  });
});

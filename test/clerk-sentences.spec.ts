import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

const samples = join(__dirname, '..', 'samples');

/** The parsed message; every member is present, and empty if the message does not mention it. */
interface Understood {
  does: string;
  area: string;
  remark: string;
  inspection: { guess?: { area: string }; skipped?: string[] };
}

/** A sentence, the state before it, and its expected meaning; `command` marks a command that must not open an area. */
interface Sentence {
  say: string;
  in?: keyof typeof known;
  expect: { does: string; area?: string; remark?: string; near?: string; skips?: string[] };
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
};

const sentences = JSON.parse(
  readFileSync(join(__dirname, 'fixtures', 'clerk-sentences.json'), 'utf8'),
) as Sentence[];

/** Returns the code of the sample flow. */
function understanding(): (question: string, uploads: number, inspection: object) => Understood {
  const flow = JSON.parse(readFileSync(join(samples, 'inspection-assistant.json'), 'utf8')) as {
    nodes: { id: string; config: { code?: { files: string[] } } }[];
  };
  const { files } = flow.nodes.find(({ id }) => id === 'understand')!.config.code!;
  const code = files.map((name) => readFileSync(join(samples, name), 'utf8')).join('\n');
  const names = ['$question', '$uploads', '$inspection', '$record', '$flow'];
  const run = compileFunction(code, names) as (...inputs: unknown[]) => Understood;
  return (question, uploads, inspection) =>
    run(question, uploads, inspection, recordOf(inspection), { executionId: 'run' });
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

  it('number at least two hundred, fifty of them commands that open no area', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(200);
    const commands = sentences.filter(({ command }) => command);
    expect(commands.length).toBeGreaterThanOrEqual(50);
    expect(commands.filter((sentence) => of(sentence).area !== '').map(({ say }) => say)).toEqual([]);
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
    ['reading', 'Gas meter', '02846', { reading: { value: '02846' } }],
    ['reading', 'Gas meter', 'it reads 02846.319 m3', { reading: { value: '02846.319', unit: 'm3' } }],
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
    ['reading', 'Gas meter', 'skip', { does: 'say' }],
    ['reading', 'Gas meter', 'Kitchen', { does: 'capture', area: 'Kitchen', reading: '' }],
    ['keys', 'Keys', 'finish', { does: 'finish' }],
  ])('after a photograph of %s in %s: “%s”', (kind, area, say, expected) => {
    expect(understand(say, 0, { ...known.areas, awaiting: { kind, area } })).toMatchObject(expected);
  });
});

import { computedMs } from '../../../test/support/computed.js';
import { reportInput } from '../../../test/support/report-input.js';
import type { FactWords } from '../facts/fact.js';
import { buildReport } from './build-report.js';
import type { FactInput } from './report-input.js';

const observed = (areaName: string, ...items: (string | FactWords)[]): FactInput[] =>
  items.map((item, index) => ({
    ...{ id: `${areaName} ${index}`, kind: 'observation' as const, areaName, areaType: 'room' as const },
    fact: typeof item === 'string' ? { item } : item,
    ...{ photographs: [], recordedAt: index },
  }));

const itemsOf = (input: Parameters<typeof reportInput>[0]): unknown[] =>
  buildReport(reportInput(input)).report.rooms.flatMap(({ facts }) => facts.map(({ words }) => words.item));

describe('the items of a flow', () => {
  const items = { kitchen: ['Walls', 'Worktops', 'Hob', 'Front door (Yale)'], default: ['Floor', 'Ceiling'] };
  const settings = { layout: 'standard' as const, items };

  it('order the observations of a room of their kind; others follow as they came', () => {
    const facts = observed(
      'Kitchen',
      'Sink',
      'hob',
      'FRONT DOOR, YALE',
      'Walls – north',
      'Tap',
      'Work top',
      'Worktop',
    );
    expect(itemsOf({ facts, settings })).toEqual([
      ...['Walls – north', 'Worktop', 'hob', 'FRONT DOOR, YALE', 'Sink', 'Tap', 'Work top'],
    ]);
  });

  it('are those of "default" where the kind has none, and none without either', () => {
    const facts = observed('Attic', 'Ceiling', 'Beam', 'Floor');
    expect(itemsOf({ facts, settings })).toEqual(['Floor', 'Ceiling', 'Beam']);
    expect(itemsOf({ facts })).toEqual(['Ceiling', 'Beam', 'Floor']);
    const own = { ...settings, items: { kitchen: items.kitchen } };
    expect(itemsOf({ facts, settings: own })).toEqual(['Ceiling', 'Beam', 'Floor']);
  });

  it('add nothing that nobody described', () => {
    expect(itemsOf({ facts: observed('Kitchen', 'Hob'), settings })).toEqual(['Hob']);
  });

  it('sort 10,000 observations by a template of 500 items at once', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `Item ${index}`);
    const facts = observed(
      'Kitchen',
      ...Array.from({ length: 10_000 }, (_, index) => `ITEM—${9_999 - index} ${'x '.repeat(40)}`),
    );
    let sorted: unknown[] = [];
    const sort = () =>
      (sorted = itemsOf({ facts, settings: { layout: 'standard', items: { kitchen: many } } }));
    expect(await computedMs(sort, 4_000)).toBeLessThan(4_000);
    expect(sorted).toHaveLength(10_000);
    expect(sorted.slice(0, 2).map((item) => String(item).slice(0, 7).trim())).toEqual(['ITEM—0', 'ITEM—1']);
  });
});

describe('the texts of a flow', () => {
  it('are handed to the pages as they are; blank ones are absent', () => {
    const texts = { guidance: 'Read <b>this</b>.', disclaimers: ' ', defaultSentence: 'All good.' };
    const { report } = buildReport(reportInput({ settings: { layout: 'compact', ...texts } }));
    expect(report).toMatchObject({
      layout: 'compact',
      guidance: texts.guidance,
      defaultSentence: 'All good.',
    });
    expect(report).not.toHaveProperty('disclaimers');
    expect(buildReport(reportInput()).report).toMatchObject({ layout: 'standard' });
  });
});

describe('the front matter', () => {
  it('is ready to print', () => {
    const meta = {
      overview: { decor: 'Magnolia', furnished: 'Part furnished' },
      tenancy: { start: '2025-11-03', end: 'later' },
      visit: { start: '2026-11-12T09:30' },
      present: ['Jo', 7, ' '],
      documents: [{ kind: 'EPC', date: '2024-03-01', note: 'C' }, { date: '2024-03-01' }, 'Gas'],
    };
    const { report, warnings } = buildReport(reportInput({ meta }));
    expect(report.frontMatter).toEqual({
      overview: [
        { label: 'Decor', value: 'Magnolia' },
        { label: 'Furnishing', value: 'Part furnished' },
      ],
      tenancy: [{ label: 'Tenancy start', value: '3 Nov 2025' }],
      visit: [{ label: 'Visit start', value: '12 Nov 2026, 09:30' }],
      present: ['Jo'],
      documents: [{ kind: 'EPC', date: '1 Mar 2024', note: 'C' }],
    });
    expect(warnings.map(({ path }) => path)).toEqual([
      'meta.tenancy.end',
      'meta.present[1]',
      'meta.documents[1]',
      'meta.documents[2]',
    ]);
  });

  it('has empty lists where nothing was sent', () => {
    const empty = { overview: [], tenancy: [], visit: [], present: [], documents: [] };
    expect(buildReport(reportInput()).report.frontMatter).toEqual(empty);
  });
});

describe('an observation as at check-in', () => {
  const previous = reportInput({
    reportId: '0199a1f2-7c3e-7b1a-9d55-00000000abcd',
    facts: [
      ...observed(
        'Kitchen',
        { item: 'Hob (gas)', condition: 'fair', description: 'One scratch', note: 'Then' },
        { item: 'Chair', description: 'First' },
        { item: 'Chair', description: 'Second' },
      ),
      ...observed('Bedroom', { item: 'Walls', condition: 'good' }),
    ],
  });
  const quoted = (...facts: FactInput[]) => buildReport(reportInput({ facts, previous }));
  const wordsIn = ({ report }: ReturnType<typeof buildReport>) =>
    report.rooms.flatMap(({ facts }) => facts.map(({ words }) => words));

  it('has the words of the item of its area and name, and its own before them', () => {
    const built = quoted(
      ...observed('KITCHEN', { item: 'hob, gas', asBefore: true, note: 'Now', quantity: 2 }),
    );
    expect(wordsIn(built)).toEqual([
      {
        item: 'hob, gas',
        asBefore: true,
        condition: 'fair',
        description: 'One scratch',
        note: 'Now',
        quantity: 2,
      },
    ]);
    expect(built.report.rooms[0]?.facts[0]?.quoted).toEqual({
      words: { condition: 'fair', description: 'One scratch' },
      photographs: [],
    });
    expect(built.report.pointsToNote).toHaveLength(1);
    expect(built.report.previousReport).toMatchObject({ reference: '0000ABCD', inspected: '24 Oct 2026' });
    expect(built.warnings).toEqual([]);
  });

  it('quotes items of one name in their order', () => {
    const chairs = [1, 2, 3].map(() => ({ item: 'chair', asBefore: true }));
    const words = wordsIn(quoted(...observed('Kitchen', ...chairs)));
    expect(words.map(({ description }) => description)).toEqual(['First', 'Second', 'Second']);
  });

  it('of an item that is not there stands alone, with a warning', () => {
    const built = quoted(...observed('Kitchen', { item: 'Walls', asBefore: true }));
    expect(wordsIn(built)).toEqual([{ item: 'Walls', asBefore: true }]);
    expect(built.warnings).toMatchObject([{ code: 'as_before_unknown' }]);
    const facts = observed('Kitchen', { item: 'Walls', asBefore: true });
    expect(buildReport(reportInput({ facts })).warnings).toMatchObject([
      { code: 'as_before_without_report' },
    ]);
  });
});

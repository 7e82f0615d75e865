import { computedMs } from '../../../../test/support/computed.js';
import type { FactKind, FactWords } from '../../../inspection/facts/fact.js';
import type { ReportFact } from '../../../inspection/report/inspection-report.js';
import type { NamedPair } from './comparison-report.js';
import { pairFacts } from './pair-facts.js';

type Side = Readonly<Record<string, readonly ReportFact[]>>;

const fact = (kind: FactKind, words: FactWords, filedUnder?: string): ReportFact => ({
  ...{ kind, words, photographs: [] },
  ...(filedUnder === undefined ? {} : { filedUnder }),
});
const item = (name: string, description?: string): ReportFact =>
  fact('observation', { item: name, ...(description === undefined ? {} : { description }) });
const keys = (kind: string, filedUnder?: string): ReportFact => fact('keys', { kind }, filedUnder);
const alarm = (kind: string, place?: string, filedUnder?: string): ReportFact =>
  fact('alarm', { kind, ...(place === undefined ? {} : { place }) }, filedUnder);

const sideOf = (facts: readonly ReportFact[] | undefined) =>
  facts === undefined ? null : { facts, photographs: [], comments: [], absent: false, keyDetails: [] };

function pair(before: Side, after: Side, named: readonly NamedPair[] = []) {
  const headings = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const areas = headings.map((heading) => ({
    heading,
    before: sideOf(before[heading]),
    after: sideOf(after[heading]),
  }));
  const { facts, warnings } = pairFacts(areas, named);
  const nameOf = ({ kind, words }: ReportFact) =>
    [words.item ?? words.kind ?? kind, words.description ?? words.place ?? words.register]
      .filter(Boolean)
      .join(' ');
  const rows = facts.map((list) =>
    list.map((one) => [one.before && nameOf(one.before.fact), one.after && nameOf(one.after.fact)]),
  );
  return { rows, warnings };
}

describe('the things of two reports', () => {
  it('are paired by their names in any spelling', () => {
    const before = ['Front door, Yale', 'Bed-side table', 'Ｈｏｂ', 'Walls!', 'Fridge'];
    const after = ['walls', 'HOB', 'bed side  Table', 'Front door (Yale)', 'Fridge freezer'];
    expect(
      pair({ Kitchen: before.map((name) => item(name)) }, { Kitchen: after.map((name) => item(name)) }).rows,
    ).toEqual([
      [
        ['Front door, Yale', 'Front door (Yale)'],
        ['Bed-side table', 'bed side  Table'],
        ['Ｈｏｂ', 'HOB'],
        ['Walls!', 'walls'],
        ['Fridge', null],
        [null, 'Fridge freezer'],
      ],
    ]);
  });

  it('of one name are those of equal words first, then in their order', () => {
    const chairs = (...texts: string[]) => ({ Hall: texts.map((text) => item('Chair', text)) });
    expect(pair(chairs('one', 'two', 'three'), chairs('three', 'four')).rows).toEqual([
      [
        ['Chair one', 'Chair four'],
        ['Chair two', null],
        ['Chair three', 'Chair three'],
      ],
    ]);
  });

  it('of one name in two rooms are two things', () => {
    expect(pair({ Hall: [item('Walls')] }, { Kitchen: [item('Walls')] }).rows).toEqual([
      [['Walls', null]],
      [[null, 'Walls']],
    ]);
  });

  it('meet under another heading if they are keys or alarms', () => {
    const before = {
      Detectors: [alarm('Smoke alarm', 'Landing'), alarm('CO alarm', undefined, 'CO alarm kitchen')],
      Keys: [keys('Yale, front door')],
    };
    const after = {
      Detectors: [alarm('CO alarm', 'Kitchen')],
      Landing: [alarm('Smoke alarm', undefined, 'Smoke alarm landing')],
      Hall: [keys('yale front door')],
    };
    expect(pair(before, after).rows).toEqual([
      [
        ['Smoke alarm Landing', 'Smoke alarm'],
        ['CO alarm', 'CO alarm Kitchen'],
      ],
      [['Yale, front door', 'yale front door']],
      [],
      [],
    ]);
  });

  it('are not one alarm at two places, nor one reading of two registers', () => {
    expect(
      pair({ Detectors: [alarm('Smoke alarm', 'Landing')] }, { Detectors: [alarm('Smoke alarm', 'Hall')] })
        .rows,
    ).toEqual([
      [
        ['Smoke alarm Landing', null],
        [null, 'Smoke alarm Hall'],
      ],
    ]);
    const register = (name: string) => fact('reading', { value: 1, register: name });
    expect(
      pair({ Meter: [register('Day'), register('Night')] }, { Meter: [register('night'), register('day')] })
        .rows,
    ).toEqual([
      [
        ['reading Day', 'reading day'],
        ['reading Night', 'reading night'],
      ],
    ]);
  });

  it('that alone are of their kind are one, where only one report says where', () => {
    expect(
      pair({ Detectors: [alarm('Heat alarm')] }, { Detectors: [alarm('Heat alarm', 'Kitchen')] }).rows,
    ).toEqual([[['Heat alarm', 'Heat alarm Kitchen']]]);
  });

  it('are those that the caller names, in each area and before their own names', () => {
    const before = { Kitchen: [item('Hob'), item('Cooker')], Utility: [item('Hob')] };
    const after = {
      Kitchen: [item('Cooker'), item('Stove')],
      Utility: [item('Stove')],
      Hall: [item('Stove')],
    };
    expect(pair(before, after, [{ before: 'HOB', after: 'stove' }]).rows).toEqual([
      [
        ['Hob', 'Stove'],
        ['Cooker', 'Cooker'],
      ],
      [['Hob', 'Stove']],
      [[null, 'Stove']],
    ]);
    expect(
      pair({ Kitchen: [item('Fridge')] }, { Utility: [item('Cooler')] }, [
        { before: 'Fridge', after: 'Cooler' },
      ]).rows,
    ).toEqual([[['Fridge', 'Cooler']], []]);
  });

  it('that are named twice or that a report does not have give a warning with the name, and nothing else', () => {
    const sides = [
      { Kitchen: [item('Hob'), item('Oven')] },
      { Kitchen: [item('Stove'), item('Range')] },
    ] as const;
    const { rows, warnings } = pair(...sides, [
      { before: 'Hob', after: 'Stove' },
      { before: 'hob', after: 'Range' },
      { before: 'Oven', after: 'stove' },
      { before: 'Sink', after: 'Range' },
      { before: 'Oven', after: '__proto__' },
    ]);
    expect(rows[0]).toEqual([
      ['Hob', 'Stove'],
      ['Oven', null],
      [null, 'Range'],
    ]);
    expect(warnings.map(({ code, path, message }) => [code, path, /“(.*)”/.exec(message)?.[1]])).toEqual([
      ['pair_repeated', 'source.pairs[1].before', 'hob'],
      ['pair_repeated', 'source.pairs[2].after', 'stove'],
      ['pair_not_found', 'source.pairs[3].before', 'Sink'],
      ['pair_not_found', 'source.pairs[4].after', '__proto__'],
    ]);
  });

  it('are paired quickly, ten thousand of them and ten thousand pairs', async () => {
    const many = (word: string) => ({
      Kitchen: Array.from({ length: 10_000 }, (_, index) => item(`${word} ${index}`)),
    });
    const named = Array.from({ length: 10_000 }, (_, index) => ({
      before: `old ${index}`,
      after: `new ${index}`,
    }));
    const work = () => expect(pair(many('old'), many('new'), named).rows[0]).toHaveLength(10_000);
    expect(await computedMs(work, 2_000)).toBeLessThan(2_000);
  });
});

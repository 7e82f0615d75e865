import { computedMs } from '../../test/support/computed.js';
import { nearestName } from './texts/nearest-name.js';
import { foldWarnings, type Warning, Warnings } from './warnings.js';

const small = (path: string): Warning => ({ code: 'tiny', message: 'The photograph is small.', path });

describe('the warnings of a call', () => {
  it('tells equal ones once, with their count and the first place', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => small(`photographs[${index}]`));
    expect(foldWarnings(fifty)).toEqual([{ ...small('photographs[0]'), count: 50 }]);
  });

  it('adds up the counts of lists that were folded before', () => {
    const twice = foldWarnings([small('a'), small('b')]);
    expect(foldWarnings(twice, [small('c')], twice)).toEqual([{ ...small('a'), count: 5 }]);
  });

  it('keeps those apart that differ in code or sentence, in order', () => {
    const others = [small('a'), { ...small('a'), code: 'dark' }, { ...small('a'), message: 'Other.' }];
    expect(foldWarnings(others)).toEqual(others);
  });

  it('counts what goes beyond a hundred, however often it is folded', () => {
    const warnings = new Warnings();
    for (let index = 0; index < 10_000; index++) warnings.add({ code: 'x', message: `Number ${index}.` });
    const list = warnings.list();
    expect(list).toHaveLength(101);
    expect(list.at(-1)).toMatchObject({ code: 'more_warnings', count: 9_900 });
    expect(foldWarnings(list, [small('a')]).at(-1)).toMatchObject({ code: 'more_warnings', count: 9_901 });
  });
});

describe('the nearest known name', () => {
  const areas = ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'];

  it.each([
    ['gas metre', 'gas-meter'],
    ['GAS_METER', 'gas-meter'],
    ['watr-meter', 'water-meter'],
    ['kesy', 'keys'],
    ['detector', 'detectors'],
  ])('of %j is %j', (given, meant) => expect(nearestName(given, areas)).toBe(meant));

  it.each(['boiler', '', 'k', 'stopcock'])('of %j is none', (given) =>
    expect(nearestName(given, areas)).toBeUndefined(),
  );

  it('is not looked for where the name is unreasonably long', async () => {
    const [name, known] = ['x'.repeat(1_000_000), ['x'.repeat(999_999)]];
    const look = () => {
      for (let tries = 0; tries < 1_000; tries++) nearestName(name, known);
    };
    expect(await computedMs(look, 500)).toBeLessThan(500);
  });
});

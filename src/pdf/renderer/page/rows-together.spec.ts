import { rowsTogether } from './rows-together.js';

const row = [{}, {}];
const group = [{ colSpan: 2 }, {}];

describe('rows that stand together', () => {
  it('are a row that heads others with the first of them, and the last two', () => {
    const { endOf } = rowsTogether([row, row, group, group, row, row, row], 1, () => 20);
    expect([1, 2, 4, 5, 6].map(endOf)).toEqual([1, 4, 4, 6, 6]);
  });

  it('are no higher than a page allows', () => {
    const { endOf, stands } = rowsTogether([row, group, row, row], 1, (at) => (at === 2 ? 390 : 20));
    expect(endOf(1)).toBe(1);
    expect([stands(1), stands(2)]).toEqual([true, true]);
    expect(rowsTogether([row, row], 1, () => Infinity).stands(1)).toBe(false);
  });

  it('are a row that heads others with the first of them alone, if the last two are too high', () => {
    const { endOf } = rowsTogether([row, group, row, row], 1, (at) => (at === 1 ? 20 : 250));
    expect([1, 2, 3].map(endOf)).toEqual([2, 2, 3]);
  });

  it('are measured once each', () => {
    const measured: number[] = [];
    const { endOf, stands } = rowsTogether([row, row, row], 1, (at) => (measured.push(at), 20));
    for (const at of [1, 2, 1, 2]) expect(stands(at) && endOf(at) === 2).toBe(true);
    expect(measured.sort()).toEqual([1, 2]);
  });
});

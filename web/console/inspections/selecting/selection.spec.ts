import { allToggled, extended, NOTHING_SELECTED, stillThere, toggled } from './selection.js';

const order = ['a', 'b', 'c', 'd', 'e'];
const chosen = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort().join('');

describe('a selection', () => {
  it('takes one more, and one out again', () => {
    const one = toggled(NOTHING_SELECTED, 'b');
    expect(chosen(toggled(one, 'd'))).toBe('bd');
    expect(chosen(toggled(toggled(one, 'd'), 'b'))).toBe('d');
    expect(chosen(NOTHING_SELECTED)).toBe('');
  });

  it('takes everything since the one before, either way, and goes on from there', () => {
    const one = toggled(NOTHING_SELECTED, 'c');
    expect(chosen(extended(one, 'e', order))).toBe('cde');
    expect(chosen(extended(extended(one, 'e', order), 'a', order))).toBe('abcde');
  });

  it('takes one where no range begins, or it began at one that is gone', () => {
    expect(chosen(extended(NOTHING_SELECTED, 'c', order))).toBe('c');
    expect(chosen(extended(toggled(NOTHING_SELECTED, 'x'), 'c', order))).toBe('cx');
  });

  it('takes all of some, and none of them when it has all', () => {
    const all = allToggled(toggled(NOTHING_SELECTED, 'a'), ['b', 'c']);
    expect(chosen(all)).toBe('abc');
    expect(chosen(allToggled(all, ['b', 'c']))).toBe('a');
  });

  it('leaves what can no longer be chosen, and is the same object where all can', () => {
    const two = toggled(toggled(NOTHING_SELECTED, 'a'), 'b');
    expect(chosen(stillThere(two, ['b', 'c']))).toBe('b');
    expect(stillThere(two, order)).toBe(two);
  });
});

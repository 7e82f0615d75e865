import { allToggled, extended, NOTHING_SELECTED, stillThere, toggled } from './selection.js';

const order = ['a', 'b', 'c', 'd', 'e'];
const chosen = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort().join('');

describe('a selection', () => {
  it('selects one and deselects it', () => {
    const one = toggled(NOTHING_SELECTED, 'b');
    expect(chosen(toggled(one, 'd'))).toBe('bd');
    expect(chosen(toggled(toggled(one, 'd'), 'b'))).toBe('d');
    expect(chosen(NOTHING_SELECTED)).toBe('');
  });

  it('selects a range in either direction, and continues from its end', () => {
    const one = toggled(NOTHING_SELECTED, 'c');
    expect(chosen(extended(one, 'e', order))).toBe('cde');
    expect(chosen(extended(extended(one, 'e', order), 'a', order))).toBe('abcde');
  });

  it('selects one when no range has started, or its start is gone', () => {
    expect(chosen(extended(NOTHING_SELECTED, 'c', order))).toBe('c');
    expect(chosen(extended(toggled(NOTHING_SELECTED, 'x'), 'c', order))).toBe('cx');
  });

  it('selects all of a group, or none when all are selected', () => {
    const all = allToggled(toggled(NOTHING_SELECTED, 'a'), ['b', 'c']);
    expect(chosen(all)).toBe('abc');
    expect(chosen(allToggled(all, ['b', 'c']))).toBe('a');
  });

  it('drops what can no longer be selected, and is otherwise the same object', () => {
    const two = toggled(toggled(NOTHING_SELECTED, 'a'), 'b');
    expect(chosen(stillThere(two, ['b', 'c']))).toBe('b');
    expect(stillThere(two, order)).toBe(two);
  });
});

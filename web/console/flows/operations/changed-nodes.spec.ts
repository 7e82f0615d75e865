import { changedMembers, changedNodes, sameButPlaces } from './changed-nodes.js';

const node = (id: string, more: object = {}) => ({ id, kind: 'reply', config: { message: id }, ...more });

describe('the nodes that differ between two definitions', () => {
  it('are added, changed and removed ones, in order, and never moved ones', () => {
    const before = { nodes: [node('a'), node('b'), node('c', { position: { x: 1, y: 1 } }), node('d')] };
    const after = {
      nodes: [
        node('e', { label: 'New' }),
        node('b', { config: {} }),
        node('c', { position: { x: 9, y: 9 } }),
        node('d'),
      ],
    };
    expect(changedNodes(before, after)).toEqual([
      { id: 'e', label: 'New', change: 'added' },
      { id: 'b', label: 'b', change: 'changed' },
      { id: 'a', label: 'a', change: 'removed' },
    ]);
    expect(changedNodes(after, after)).toEqual([]);
  });

  it('are none whose members have another order alone', () => {
    const [one, other] = [
      { id: 'a', kind: 'x', config: { b: 1, c: 2 } },
      { config: { c: 2, b: 1 }, kind: 'x', id: 'a' },
    ];
    expect(changedNodes({ nodes: [one] }, { nodes: [other] })).toEqual([]);
    expect(sameButPlaces({ nodes: [one], vars: {} }, { vars: {}, nodes: [other] })).toBe(true);
    const inside = (x: number) => ({ nodes: [node('a', { config: { position: { x } } })] });
    expect(changedNodes(inside(1), inside(2))).toHaveLength(1);
  });

  it('are read from drafts of any form', () => {
    expect(changedNodes({ nodes: 'none' }, { nodes: [null, 5, { kind: 'x' }, node('a')] })).toEqual([
      { id: 'a', label: 'a', change: 'added' },
    ]);
    expect(changedNodes({}, {})).toEqual([]);
  });

  it('are none where only places differ, which is told apart from the same', () => {
    const [one, other] = [1, 2].map((x) => ({ nodes: [node('a', { position: { x, y: 0 } })], edges: [] }));
    expect(changedNodes(one!, other!)).toEqual([]);
    expect(sameButPlaces(one!, other!)).toBe(true);
    expect(sameButPlaces(one!, { ...other, edges: [{ from: 'a', to: 'a' }] })).toBe(false);
  });
});

describe('the members that differ between two values', () => {
  it('are as deep as both have them, without places', () => {
    const before = { kind: 'llm', position: { x: 1 }, config: { messages: [{ role: 'user' }], model: 1 } };
    const after = { kind: 'llm', position: { x: 2 }, config: { messages: [{ role: 'system' }, {}], to: [] } };
    expect(changedMembers(before, after)).toEqual([
      { path: 'config.messages.0.role', before: 'user', after: 'system' },
      { path: 'config.messages.1', before: undefined, after: {} },
      { path: 'config.model', before: 1, after: undefined },
      { path: 'config.to', before: undefined, after: [] },
    ]);
    expect(changedMembers(before, { ...before, position: null })).toEqual([]);
  });

  it('are all those of a value that only one has', () => {
    expect(changedMembers(undefined, { id: 'a', kind: 'reply' })).toEqual([
      { path: 'id', before: undefined, after: 'a' },
      { path: 'kind', before: undefined, after: 'reply' },
    ]);
    expect(changedMembers({ a: [1] }, { a: { 0: 1 } })).toEqual([
      { path: 'a', before: [1], after: { 0: 1 } },
    ]);
  });
});

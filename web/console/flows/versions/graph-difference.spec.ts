import { graphDifference } from './graph-difference.js';

const node = (id: string, more: object = {}) => ({ id, kind: 'reply', config: { message: id }, ...more });
const at = (x: number, y: number) => ({ position: { x, y } });

describe('the difference of two graphs', () => {
  const places = (before: object, after: object) => {
    const { model, ...marks } = graphDifference({ ...before }, { ...after });
    return { marks, at: Object.fromEntries(model.nodes.map(({ id, position }) => [id, position])), model };
  };

  it('marks nodes, and shows removed ones where they were', () => {
    const before = { nodes: [node('a', at(0, 0)), node('b', at(300, 0)), node('c', at(600, 0))] };
    const after = {
      nodes: [node('a', at(0, 0)), node('b', { ...at(300, 90), config: {} }), node('d', at(900, 0))],
    };
    const { marks, at: shown } = places(before, after);
    expect([...marks.nodes]).toEqual([
      ['b', 'changed'],
      ['d', 'added'],
      ['c', 'removed'],
    ]);
    expect(shown).toEqual({
      a: { x: 0, y: 0 },
      b: { x: 300, y: 90 },
      d: { x: 900, y: 0 },
      c: { x: 600, y: 0 },
    });
  });

  it('moves a removed node aside whose place another one has taken', () => {
    const { at: shown } = places(
      { nodes: [node('old', at(100, 100))] },
      { nodes: [node('new', at(110, 100))] },
    );
    expect(shown).toEqual({ new: { x: 110, y: 100 }, old: { x: 100, y: 180 } });
  });

  it('arranges all together where the later graph has no positions', () => {
    const edge = { from: 'a', to: 'b' };
    const { at: shown, model } = places(
      { nodes: [node('a', at(5, 5)), node('b', at(9, 9))], edges: [edge] },
      { nodes: [node('a')], edges: [] },
    );
    expect(shown).toEqual({ a: undefined, b: undefined });
    expect(model.edges.map(({ from, to }) => [from, to])).toEqual([['a', 'b']]);
  });

  it('keeps the body of a removed iteration inside it', () => {
    const body = [node('each', { kind: 'iteration', ...at(0, 0) }), node('in', { parentNode: 'each' })];
    const { model } = places({ nodes: [node('a', at(0, 300)), ...body] }, { nodes: [node('a', at(0, 300))] });
    expect(model.nodes.map(({ id, parentNode }) => [id, parentNode])).toEqual([
      ['a', undefined],
      ['each', undefined],
      ['in', 'each'],
    ]);
  });

  it('marks edges, and one whose branch differs as changed', () => {
    const nodes = [node('a'), node('b'), node('c')];
    const { edges } = graphDifference(
      {
        nodes,
        edges: [
          { from: 'a', to: 'b', on: '0' },
          { from: 'b', to: 'c' },
        ],
      },
      {
        nodes,
        edges: [
          { from: 'a', to: 'b', on: 'else' },
          { from: 'a', to: 'c', on: '0' },
        ],
      },
    );
    expect([...edges]).toEqual([
      [0, { mark: 'changed', words: 'branch 0 → else' }],
      [1, { mark: 'added', words: 'added: 0' }],
      [2, { mark: 'removed', words: 'removed' }],
    ]);
  });

  it('is read from drafts of any form', () => {
    const { model, nodes, edges } = graphDifference(
      { nodes: 'none', edges: [null, { from: 1 }] },
      { nodes: [null, 5, node('a')], edges: 7 },
    );
    expect(model.nodes.map(({ id }) => id)).toEqual(['a']);
    expect([[...nodes], model.edges, edges.size]).toEqual([[['a', 'added']], [], 2]);
  });
});

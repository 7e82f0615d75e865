import { canvasOf } from './canvas-model.js';
import { arranged, placed } from './placing.js';

const at = (x: number, y: number) => ({ position: { x, y } });

describe('the canvas of a definition', () => {
  it('has the branches as the definition names them, also those that only an edge names', () => {
    const { nodes, edges } = canvasOf({
      nodes: [
        { id: 'if', kind: 'condition', config: { conditions: [{}, {}] } },
        { id: 'ask', kind: 'human-input' },
        { id: 'say', kind: 'reply' },
      ],
      edges: [
        { from: 'if', to: 'ask', on: '1' },
        { from: 'if', to: 'say', on: '7' },
        { from: 'say', to: 'gone' },
      ],
    });
    expect(nodes.map(({ branches }) => branches)).toEqual([['0', '1', 'else', '7'], ['0', '1'], []]);
    expect(edges.map(({ index }) => index)).toEqual([0, 1]);
  });

  it('draws where loops go back to, bodies after their iterations, and notes', () => {
    const { nodes, backs, notes } = canvasOf({
      nodes: [
        { id: 'inner', kind: 'reply', parentNode: 'each' },
        { id: 'each', kind: 'iteration' },
        { id: 'again', kind: 'loop', config: { backTo: 'each' } },
        { id: 'lost', kind: 'loop', config: { backTo: 'gone' }, parentNode: 'nobody' },
        { id: 'a', parentNode: 'b' },
        { id: 'b', parentNode: 'a' },
        { id: 'each', kind: 'reply' },
        { id: 7 },
        'no node',
      ],
      notes: [{ text: 'Here', ...at(1, 2), colour: 'red' }, { text: 'nowhere' }],
    });
    expect(nodes.map(({ id, parentNode }) => [id, parentNode])).toEqual([
      ...[
        ['each', undefined],
        ['again', undefined],
        ['lost', undefined],
        ['a', undefined],
        ['b', undefined],
      ],
      ['inner', 'each'],
    ]);
    expect(backs).toEqual([{ from: 'again', to: 'each' }]);
    expect(notes).toEqual([{ text: 'Here', position: { x: 1, y: 2 }, index: 0 }]);
  });
});

describe('the places of nodes', () => {
  it('are those of the definition; a new node stands behind the one before it, over nothing', () => {
    const boxes = placed(
      canvasOf({
        nodes: [
          { id: 'a', kind: 'start', ...at(-40, 10) },
          { id: 'b', kind: 'reply', ...at(140, 30) },
          { id: 'c', kind: 'reply' },
          { id: 'each', kind: 'iteration', ...at(900, 0) },
          { id: 'inner', kind: 'reply', parentNode: 'each', ...at(40, 60) },
        ],
        edges: [{ from: 'a', to: 'c' }],
      }),
    );
    expect(boxes.get('a')).toMatchObject({ x: -40, y: 10 });
    expect(boxes.get('c')).toMatchObject({ x: 140, y: 110 });
    const { width, height } = boxes.get('each')!;
    expect([width, height]).toEqual([40 + 156 + 16, 60 + 56 + 16]);
  });

  it('are found for all without one, from left to right, bodies inside of their iterations', () => {
    const model = canvasOf({
      nodes: [
        { id: 'a', kind: 'start' },
        { id: 'each', kind: 'iteration' },
        { id: 'inner', kind: 'reply', parentNode: 'each' },
        { id: '__proto__', kind: 'condition', config: { conditions: [{}] } },
      ],
      edges: [
        { from: 'a', to: 'each' },
        { from: 'each', to: '__proto__' },
        { from: '__proto__', to: 'a', on: '0' },
      ],
    });
    const boxes = placed(model);
    expect(boxes.get('a')!.x + boxes.get('a')!.width).toBeLessThan(boxes.get('each')!.x);
    expect(boxes.get('each')!.x + boxes.get('each')!.width).toBeLessThan(boxes.get('__proto__')!.x);
    expect(boxes.get('__proto__')!.height).toBeGreaterThan(56);
    expect([...arranged(model).values()]).toHaveLength(4);
  });

  it('arranges branches as the handles of their node stand', () => {
    const model = canvasOf({
      nodes: [
        { id: 'if', kind: 'condition', config: { conditions: [{}] } },
        { id: 'yes', kind: 'reply' },
        { id: 'no', kind: 'reply' },
        { id: 'more', kind: 'reply' },
      ],
      edges: [
        { from: 'if', to: 'no', on: 'else' },
        { from: 'if', to: 'yes', on: '0' },
        { from: 'yes', to: 'more' },
      ],
    });
    expect(arranged(model).get('yes')!.y).toBeLessThan(arranged(model).get('no')!.y);
  });
});

import { layOut } from './layout.js';
import { isTaken, pictureOf } from './picture.js';
import { pathThrough } from './route.js';

const node = (id: string, parentNode?: string) => ({
  id,
  kind: 'reply',
  ...(parentNode === undefined ? {} : { parentNode }),
});

describe('the picture of a flow', () => {
  it('leaves out what cannot be drawn', () => {
    const { nodes, edges } = pictureOf({
      nodes: [node('a'), node('a'), node('b', 'nobody'), node('c', 'd'), node('d', 'c'), node('e', 'b')],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'gone' },
        { from: 'a', to: 'a' },
        { from: 'a', to: 'e' },
      ],
    });
    expect(nodes.map(({ id, parentNode }) => [id, parentNode])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['c', undefined],
      ['d', undefined],
      ['e', 'b'],
    ]);
    expect(edges).toEqual([{ id: '0', from: 'a', to: 'b' }]);
  });

  it('leads from a loop back to the node that it names', () => {
    const loop = (id: string, backTo: string) => ({ id, kind: 'loop', config: { backTo } });
    expect(
      pictureOf({ nodes: [node('a'), loop('b', 'a'), loop('c', 'gone'), loop('d', 'd')] }).edges,
    ).toEqual([{ id: 'back-b', from: 'b', to: 'a', isBack: true }]);
  });

  it('accepts names such as `__proto__`', () => {
    const picture = pictureOf({
      nodes: [node('__proto__'), node('constructor')],
      edges: [{ from: '__proto__', to: 'constructor' }],
    });
    expect(layOut(picture, 'right').boxes.size).toBe(2);
    expect(layOut(picture, 'right').routes.get('0')!.points.length).toBeGreaterThan(1);
  });

  it('knows the path that a run took', () => {
    const states = new Map([
      ['a', { status: 'succeeded', branches: ['1'] }],
      ['b', { status: 'failed' }],
      ['c', { status: 'succeeded' }],
    ]);
    const taken = (from: string, to: string, on?: string) =>
      isTaken({ from, to, ...(on === undefined ? {} : { on }) }, states);
    expect([taken('a', 'b', '1'), taken('a', 'b', 'else'), taken('b', 'c', '0')]).toEqual([
      true,
      false,
      true,
    ]);
    expect([taken('a', 'b'), taken('a', 'd')]).toEqual([true, false]);
  });
});

describe('the layout', () => {
  const picture = pictureOf({
    nodes: [node('a'), node('b'), node('c', 'b'), node('d', 'b'), node('e')],
    edges: [
      { from: 'a', to: 'b' },
      { from: 'c', to: 'd' },
      { from: 'b', to: 'e' },
      { from: 'e', to: 'a', on: '0' },
    ],
  });

  it('places a body inside its iteration, without overlaps', () => {
    const { boxes } = layOut(picture, 'right');
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => boxes.get(id)!);
    expect(a!.x + a!.width).toBeLessThan(b!.x);
    expect(b!.x + b!.width).toBeLessThan(e!.x);
    expect(c!.x).toBeGreaterThan(0);
    expect(c!.x + c!.width).toBeLessThan(d!.x);
    expect(d!.x + d!.width).toBeLessThan(b!.width);
    expect(d!.y + d!.height).toBeLessThan(b!.height);
  });

  it.each(['right', 'down'] as const)(
    'places branches in their order, whatever follows them (%s)',
    (direction) => {
      const names = ['a', '0', '1', '2', 'else', 'long', 'longer', 'both'];
      const drawn = pictureOf({
        nodes: names.map((id) => node(id)),
        edges: [
          ...['else', '2', '0', '1'].map((on) => ({ from: 'a', to: on, on })),
          ...[
            ['else', 'long'],
            ['long', 'longer'],
            ['0', 'both'],
            ['2', 'both'],
          ].map(([from, to]) => ({ from: from!, to: to! })),
        ],
      });
      const { boxes } = layOut(drawn, direction);
      const across = (id: string) => (direction === 'right' ? boxes.get(id)!.y : boxes.get(id)!.x);
      expect(['1', 'else', '0', '2'].toSorted((one, other) => across(one) - across(other))).toEqual([
        '0',
        '1',
        '2',
        'else',
      ]);
    },
  );

  it.each(['right', 'down'] as const)('routes every edge between its nodes (%s)', (direction) => {
    const { boxes, routes } = layOut(picture, direction);
    const b = boxes.get('b')!;
    const onto = routes.get('0')!.points.at(-1)!;
    expect(direction === 'right' ? onto.x : onto.y).toBe(direction === 'right' ? b.x : b.y);
    const inner = routes.get('1')!.points[0]!;
    expect(inner.x).toBeGreaterThan(b.x);
    expect(inner.x).toBeLessThan(b.x + b.width);
    expect(routes.get('3')!.label).toBeDefined();
    expect(pathThrough(routes.get('0')!.points, direction)).toMatch(/^M[\d.,-]+ C/);
  });
});

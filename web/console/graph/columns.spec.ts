import { layersOf } from './columns.js';
import { layOut } from './layout.js';
import { pictureOf } from './picture.js';
import type { Box } from './route.js';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

describe('the layers of a graph', () => {
  it('place each node behind all that lead to it', () => {
    const edges = [
      { from: 'a', to: 'd' },
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'd' },
    ];
    expect([...layersOf(['a', 'b', 'c', 'd', 'alone'], edges)].toSorted()).toEqual([
      ['a', 0],
      ['alone', 0],
      ['b', 1],
      ['c', 2],
      ['d', 3],
    ]);
  });

  it('place a node that nothing leads to right before the first that it leads to', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'd' },
      { from: 'late', to: 'd' },
      { from: 'late', to: 'c' },
    ];
    expect(layersOf(['a', 'b', 'c', 'd', 'late'], edges).get('late')).toBe(1);
  });

  it('ignore the edge that closes a cycle', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'b' },
      { from: 'c', to: 'd' },
      { from: 'd', to: 'a' },
    ];
    expect([...layersOf(['a', 'b', 'c', 'd'], edges).values()]).toEqual([0, 1, 2, 3]);
  });

  it('are found in a chain of 100,000 nodes', () => {
    const names = ids(100_000);
    const edges = names.slice(1).map((to, index) => ({ from: names[index]!, to }));
    expect(layersOf(names, edges).get('n99999')).toBe(99_999);
  });
});

describe('the layout of a large flow', () => {
  const names = ids(1_000);
  const chain = names.slice(1).map((to, index) => ({ from: names[index]!, to }));
  const branched = names.slice(1).map((to, index) => ({ from: names[Math.floor(index / 9)]!, to }));
  const star = names.slice(1).map((to) => ({ from: 'n0', to }));
  const dense = Array.from({ length: 10_000 }, (_, index) => {
    const from = (index * 7_919) % 999;
    return { from: names[from]!, to: names[from + 1 + ((index * 104_729) % (999 - from))]! };
  });
  const cyclic = [...chain, { from: 'n999', to: 'n0' }];
  const shapes = { chain, branched, star, dense, cyclic, none: [] };
  const directions = ['right', 'down'] as const;

  describe.each(directions)('%s', (direction) => {
    it.each(Object.keys(shapes))('overlaps nothing and leads forward: %s', (shape) => {
      const edges = shapes[shape as keyof typeof shapes];
      const nodes = names.map((id) => ({ id, kind: 'reply' }));
      const { boxes, routes } = layOut(pictureOf({ nodes, edges }), direction);
      expect(boxes.size).toBe(1_000);
      expect(overlapsIn([...boxes.values()])).toBe(0);
      expect(routes.size).toBe(edges.length);
      const start = (id: string) => (direction === 'right' ? boxes.get(id)!.x : boxes.get(id)!.y);
      const back = edges.filter(({ from, to }) => start(from) >= start(to));
      expect(back).toEqual(shape === 'cyclic' ? [{ from: 'n999', to: 'n0' }] : []);
    });
  });

  it('keeps what belongs together side by side', () => {
    const rows = Array.from({ length: 100 }, (_, row) => ids(10).map((id) => `${id}-${row}`));
    const edges = rows.flatMap((row) => row.slice(1).map((to, index) => ({ from: row[index]!, to })));
    const nodes = rows.flat().map((id) => ({ id, kind: 'reply' }));
    const { boxes } = layOut(pictureOf({ nodes, edges }), 'right');
    for (const row of rows) expect(new Set(row.map((id) => boxes.get(id)!.y)).size).toBe(1);
  });

  it('places the body of an iteration inside it', () => {
    const inside = names.map((id) => ({ id, kind: 'reply', parentNode: 'each' }));
    const { boxes, routes } = layOut(
      pictureOf({ nodes: [{ id: 'each', kind: 'iteration' }, ...inside], edges: dense }),
      'right',
    );
    const outer = boxes.get('each')!;
    for (const id of names) {
      const { x, y, width, height } = boxes.get(id)!;
      expect(x > 0 && y > 0 && x + width < outer.width && y + height < outer.height).toBe(true);
    }
    for (const { points } of routes.values())
      for (const { x, y } of points)
        expect(x > outer.x && x < outer.x + outer.width && y > outer.y && y < outer.y + outer.height).toBe(
          true,
        );
  });
});

function overlapsIn(boxes: readonly Box[]): number {
  return boxes
    .toSorted((one, other) => one.x - other.x)
    .reduce((sum, one, index, sorted) => {
      let overlaps = 0;
      for (let at = index + 1; at < sorted.length && sorted[at]!.x < one.x + one.width; at++)
        if (sorted[at]!.y < one.y + one.height && one.y < sorted[at]!.y + sorted[at]!.height) overlaps++;
      return sum + overlaps;
    }, 0);
}

import { componentsOf, type Following, leadsTo } from './components.js';

/** The same graph, with the number of times that an end of an edge was looked at. */
function counted(following: Following): { following: Following; looks: () => number } {
  let looks = 0;
  const counting = following.map(
    (list) =>
      new Proxy(list, {
        get: (target, name, receiver): unknown => {
          if (typeof name === 'string' && Number(name) < target.length) looks++;
          return Reflect.get(target, name, receiver);
        },
      }),
  );
  return { following: counting, looks: () => looks };
}

const nodes = (count: number) => Array.from({ length: count }, (_, node) => node);

/** Numbers that look random and are the same each time. */
function dice(seed: number): (sides: number) => number {
  let last = seed;
  return (sides) => (last = (last * 1_103_515_245 + 12_345) % 2_147_483_648) % sides;
}

function walked(following: Following, from: number): Set<number> {
  const seen = new Set([from]);
  for (const node of seen) for (const next of following[node]!) seen.add(next);
  return seen;
}

const graphs = nodes(40).map((seed): Following => {
  const roll = dice(seed + 1);
  const count = 1 + roll(70);
  const edges = nodes(roll(count * 2)).map(() => [roll(count), roll(count)] as const);
  return nodes(count).map((node) => edges.flatMap(([from, to]) => (from === node ? [to] : [])));
});

describe('the components of a graph', () => {
  //   0 → 1 ⇄ 2 → 3
  it('are the nodes that lead to each other', () => {
    const [first, second, third, fourth] = componentsOf([[1], [2], [1, 3], []]);
    expect(second).toBe(third);
    expect(new Set([first, second, fourth]).size).toBe(3);
  });

  it('are what a walk from each node finds, in an order in which each leads only to earlier ones', () => {
    for (const following of graphs) {
      const component = componentsOf(following);
      const reached = nodes(following.length).map((node) => walked(following, node));
      const leadToEachOther = reached.map((later, one) =>
        nodes(following.length).map((other) => later.has(other) && reached[other]!.has(one)),
      );
      expect(
        nodes(following.length).map((one) => [...component].map((number) => number === component[one])),
      ).toEqual(leadToEachOther);
      expect(
        reached.every((later, one) => [...later].every((other) => component[other]! <= component[one]!)),
      ).toBe(true);
    }
  });

  it('are found without recursion', () => {
    const chain = nodes(200_000).map((node) => (node < 199_999 ? [node + 1] : [0]));
    expect(new Set(componentsOf(chain)).size).toBe(1);
  });
});

describe('what leads to what', () => {
  it('is what a walk from each node finds', () => {
    for (const following of graphs) {
      const leads = leadsTo(following);
      for (const from of nodes(following.length))
        expect(new Set(nodes(following.length).filter((to) => leads(from, to)))).toEqual(
          walked(following, from),
        );
    }
  });

  it('is known after two looks at each edge, however often it is asked', () => {
    const roll = dice(7);
    const wide = nodes(1_000).map((node) => nodes(10).map(() => (node + 1 + roll(20)) % 1_000));
    const circles = nodes(1_000).map((node) => [(node + 1) % 1_000, node]);
    const chain = nodes(1_000).map((node) => (node < 999 ? [node + 1] : []));
    for (const graph of [wide, circles, chain]) {
      const { following, looks } = counted(graph);
      const leads = leadsTo(following);
      for (const from of nodes(1_000)) leads(from, (from * 7) % 1_000);
      expect(looks()).toBeLessThanOrEqual(2 * graph.flat().length);
      expect(looks()).toBeGreaterThan(0);
    }
  });
});

import { componentsOf, type Following } from './components.js';

const BITS = 32;

/**
 * Returns a function that tells whether a node leads to another or is the same. Preparation visits each edge twice and
 * stores one bit for each pair of components: 125 KB for a thousand nodes.
 */
export function leadsTo(following: Following): (from: number, to: number) => boolean {
  const component = componentsOf(following);
  const members: number[][] = [];
  for (const [node, number] of component.entries()) (members[number] ??= []).push(node);
  const words = Math.ceil(members.length / BITS);
  const reached = members.map(() => new Uint32Array(words));
  for (const [number, nodes] of members.entries()) {
    const own = reached[number]!;
    own[number >>> 5]! |= 1 << (number & 31);
    // A component leads to smaller numbers, whose bits are known already.
    for (const later of laterOf(nodes, number, component, following)) add(own, reached[later]!);
  }
  return (from, to) => {
    const place = component[to]!;
    return ((reached[component[from]!]![place >>> 5]! >>> (place & 31)) & 1) === 1;
  };
}

function add(to: Uint32Array, more: Uint32Array): void {
  for (let word = 0; word < to.length; word++) to[word]! |= more[word]!;
}

function laterOf(
  nodes: readonly number[],
  own: number,
  component: Int32Array,
  following: Following,
): Set<number> {
  const later = new Set(nodes.flatMap((node) => following[node]!.map((next) => component[next]!)));
  later.delete(own);
  return later;
}

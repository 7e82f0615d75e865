/** A directed graph: for each node 0, 1, 2 … the nodes that its edges lead to. */
export type Following = readonly (readonly number[])[];

interface Open {
  node: number;
  next: number;
}

/**
 * Returns the strongly connected components of a graph (Tarjan): the number of its component for each node, from 0. Two
 * nodes have the same number if each leads to the other; a component leads only to those with smaller numbers. Visits each
 * node and edge once, without recursion, because a definition may be one long chain.
 */
export function componentsOf(following: Following): Int32Array {
  const count = following.length;
  const component = new Int32Array(count).fill(-1);
  const found = new Int32Array(count).fill(-1);
  const lowest = new Int32Array(count);
  const unsettled: number[] = [];
  const way: Open[] = [];
  let [visited, components] = [0, 0];

  const open = (node: number): void => {
    found[node] = lowest[node] = visited++;
    unsettled.push(node);
    way.push({ node, next: 0 });
  };
  const close = ({ node }: Open): void => {
    way.pop();
    const before = way.at(-1);
    if (before) lowest[before.node] = Math.min(lowest[before.node]!, lowest[node]!);
    if (lowest[node] !== found[node]) return;
    for (let member = -1; member !== node;) component[(member = unsettled.pop()!)] = components;
    components++;
  };

  for (let root = 0; root < count; root++) {
    if (found[root] !== -1) continue;
    open(root);
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const next = following[top.node]![top.next++];
      if (next === undefined) close(top);
      else if (found[next] === -1) open(next);
      else if (component[next] === -1) lowest[top.node] = Math.min(lowest[top.node]!, found[next]!);
    }
  }
  return component;
}

import type { Fault } from '../../../common/service-error.js';
import { compileGraph, type GraphEdge, type GraphNode } from '../../engine/flow-graph.js';
import type { FlowDefinition } from '../flow-definition.js';
import type { Branches } from './check-nodes.js';

type DefinedNode = FlowDefinition['nodes'][number];

/** Returns the faults of the ends and the branch of each edge. */
export function edgeFaults({ nodes, edges }: FlowDefinition, branches: Branches): Fault[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const branchFault = branchFaults(branches);
  return edges.flatMap((edge, index) => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    const path = `edges.${index}`;
    const faults: Fault[] = [];
    if (!from) faults.push({ path: `${path}.from`, message: `there is no node "${edge.from}"` });
    if (!to) faults.push({ path: `${path}.to`, message: `there is no node "${edge.to}"` });
    if (to?.kind === 'start')
      faults.push({ path: `${path}.to`, message: 'nothing can lead to the start node' });
    if (from && to && from.parentNode !== to.parentNode)
      faults.push({ path, message: 'an edge cannot lead into an iteration or out of it' });
    const fault = from && branchFault(from, edge.on);
    return fault ? [...faults, { path: `${path}.on`, message: fault }] : faults;
  });
}

/** Returns a check of the branch on which an edge leaves a node. Caches the sentence, which lists all branches, by node. */
function branchFaults(branches: Branches): (from: DefinedNode, on: string | undefined) => string | undefined {
  const known = new Map<DefinedNode, { names: ReadonlySet<string>; fault: string }>();
  return (from, on) => {
    let here = known.get(from);
    if (!here) {
      const names = branches.get(from);
      if (!names) return undefined;
      known.set(from, (here = { names: new Set(names), fault: wrongBranch(from, names) }));
    }
    const { names, fault } = here;
    return (on === undefined ? names.size === 0 : names.has(on)) ? undefined : fault;
  };
}

const wrongBranch = ({ id, kind }: DefinedNode, names: readonly string[]): string =>
  names.length === 0
    ? `a node of kind "${kind}" has no branches`
    : `must name a branch of "${id}": ${names.map((name) => `"${name}"`).join(', ')}`;

/** Returns a fault for each edge that closes a cycle without a loop node. */
export function cycleFaults(definition: FlowDefinition): Fault[] {
  const graph = compileGraph(definition);
  const state = new Map<GraphNode, 'open' | 'done'>();
  const closing: GraphEdge[] = [];
  for (const root of graph.byId.values()) {
    if (!state.has(root)) visit(root, state, closing);
  }
  return closing.map(({ index, to }) => ({
    path: `edges.${index}`,
    message: `leads back to "${to.id}" without a loop node, so that the flow would never end`,
  }));
}

/** Searches depth first without recursion, because a definition may be one long chain. */
function visit(root: GraphNode, state: Map<GraphNode, 'open' | 'done'>, closing: GraphEdge[]): void {
  const stack = [{ node: root, next: 0 }];
  state.set(root, 'open');
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const edge = top.node.outgoing[top.next++];
    if (!edge) {
      state.set(top.node, 'done');
      stack.pop();
    } else if (state.get(edge.to) === 'open') closing.push(edge);
    else if (!state.has(edge.to)) {
      state.set(edge.to, 'open');
      stack.push({ node: edge.to, next: 0 });
    }
  }
}

import type { NodeTrace } from '../../../../src/api/executions.js';
import { type Drawing, isTaken, type NodeStates } from '../../graph/picture.js';

/** Draws the nodes that ran in sequence, for a deleted flow. */
export function drawingOfTrace(nodes: readonly NodeTrace[]): Required<Drawing> {
  const outer = nodes.filter(({ parent }) => parent === undefined);
  const ids = [...new Set(outer.map(({ nodeId }) => nodeId))];
  const labelOf = new Map(outer.map(({ nodeId, label, kind }) => [nodeId, { label, kind }]));
  return {
    nodes: ids.map((id) => ({ id, ...labelOf.get(id)! })),
    edges: ids.slice(1).map((id, index) => ({ from: ids[index]!, to: id })),
  };
}

/** Returns the nodes that a run reached, with the iterations around them. */
export function reachedOf(flow: Required<Drawing>, states: NodeStates): Required<Drawing> {
  const parentOf = new Map(flow.nodes.map(({ id, parentNode }) => [id, parentNode]));
  const reached = new Set<string>();
  for (const { id } of flow.nodes) {
    if (!states.has(id)) continue;
    for (let at: string | undefined = id; at !== undefined && !reached.has(at); at = parentOf.get(at))
      reached.add(at);
  }
  return {
    nodes: flow.nodes.filter(({ id }) => reached.has(id)),
    edges: flow.edges.filter((edge) => isTaken(edge, states)),
  };
}

/** Adds the calls that nodes made, such as an agent's tools: each tool once, inside its node. */
export function withCalls(
  { nodes, edges }: Required<Drawing>,
  runs: readonly NodeTrace[],
): Required<Drawing> {
  const drawn = new Set(nodes.map(({ id }) => id));
  const nodeOf = new Map(runs.map(({ runId, nodeId }) => [runId, nodeId]));
  const calls = new Map<string, Required<Drawing>['nodes'][number]>();
  for (const { nodeId, label, kind, parent } of runs) {
    const parentNode = parent === undefined ? undefined : nodeOf.get(parent);
    if (parentNode !== undefined && drawn.has(parentNode) && nodeId.startsWith(`${parentNode}/`))
      calls.set(nodeId, { id: nodeId, kind, label, parentNode });
  }
  return { nodes: [...nodes, ...calls.values()], edges };
}

import type { Fault } from '../../../common/service-error.js';
import { compileGraph, type GraphNode, runsAfter } from '../../engine/flow-graph.js';
import type { FlowDefinition } from '../flow-definition.js';

/** Returns the faults of the bodies of loops and iterations. */
export function bodyFaults(definition: FlowDefinition): Fault[] {
  const { byId, edges } = compileGraph(definition);
  const comesAfter = runsAfter({ byId });
  const bodies = new Set(definition.nodes.map(({ parentNode }) => parentNode));
  const inNodes = definition.nodes.flatMap((node, index) => {
    const compiled = byId.get(node.id)!;
    if (node.kind === 'iteration' && !bodies.has(node.id))
      return [{ path: `nodes.${index}`, message: 'has no nodes to run: no node has it as its parentNode' }];
    const fault = node.kind === 'loop' ? targetFault(compiled, definition, byId, comesAfter) : undefined;
    return fault === undefined ? [] : [{ path: `nodes.${index}.config.backTo`, message: fault }];
  });
  const backEdges = new Set([...byId.values()].flatMap(({ back }) => back));
  const inEdges = edges.flatMap((edge) =>
    backEdges.has(edge)
      ? [
          {
            path: `edges.${edge.index}`,
            message: 'a loop goes back to the node that its backTo names, without an edge',
          },
        ]
      : [],
  );
  return [...inNodes, ...inEdges];
}

/** Returns the fault of a loop's `backTo`; the schema checks that there is one. */
function targetFault(
  loop: GraphNode,
  { nodes }: FlowDefinition,
  byId: ReadonlyMap<string, GraphNode>,
  comesAfter: ReturnType<typeof runsAfter>,
): string | undefined {
  const { backTo } = loop.config;
  if (typeof backTo !== 'string' || backTo === '') return undefined;
  const target = byId.get(backTo);
  if (!target) return `there is no node "${backTo}"`;
  const parentOf = (node: GraphNode) => nodes[node.index]?.parentNode;
  if (parentOf(target) !== parentOf(loop)) return 'a loop cannot go back into an iteration or out of it';
  if (target === loop || !comesAfter(loop, target))
    return `must be a node that comes before this one; "${backTo}" does not`;
  return undefined;
}

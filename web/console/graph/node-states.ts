import { NODE_STATUSES, type NodeStatus } from '../../../src/api/execution-terms.js';
import type { NodeTrace } from '../../../src/api/executions.js';
import type { NodeStep } from '../../../src/api/predictions.js';
import type { NodeState, NodeStates } from './picture.js';

/** Returns the state of each node after its latest run. */
export function statesOf(nodes: readonly NodeTrace[]): NodeStates {
  const states = new Map<string, NodeState>();
  for (const { nodeId, status, durationMs, output, flowId } of nodes) {
    // Nodes of called flows are not in the picture.
    if (flowId !== undefined) continue;
    const branch = branchIn(output);
    states.set(nodeId, {
      status,
      durationMs,
      order: states.get(nodeId)?.order ?? states.size,
      ...(branch === undefined ? {} : { branches: [branch] }),
    });
  }
  return states;
}

const statuses = Object.fromEntries(
  Object.entries(NODE_STATUSES).map(([status, word]) => [word, status]),
) as Record<NodeStep['status'], NodeStatus>;

/** Applies the event of a node that begins or ends. */
export function withStatus(states: NodeStates, { nodeId, status }: NodeStep): Map<string, NodeState> {
  const known = states.get(nodeId);
  return new Map(states).set(nodeId, { order: states.size, ...known, status: statuses[status] });
}

/** Reads the branch that a condition took from its output. */
function branchIn(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || !('branch' in output)) return undefined;
  return typeof output.branch === 'string' ? output.branch : undefined;
}

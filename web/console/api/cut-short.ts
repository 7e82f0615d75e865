import type { ExecutionWithTrace, NodeTrace } from '../../../src/api/executions.js';

/**
 * Marks nodes as stopped that the trace still shows as running although the execution has ended, which happens when the
 * process of a run dies.
 */
export function cutShort(execution: ExecutionWithTrace): ExecutionWithTrace {
  const { status, finishedAt, nodes } = execution;
  if (finishedAt === null || status === 'running' || status === 'waiting') return execution;
  const end = Date.parse(finishedAt);
  const settled = (run: NodeTrace): NodeTrace =>
    run.status === 'running'
      ? {
          ...run,
          status: 'stopped',
          durationMs: run.durationMs ?? Math.max(0, end - Date.parse(run.startedAt)),
        }
      : run;
  return { ...execution, nodes: nodes.map(settled) };
}

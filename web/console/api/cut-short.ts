import type { ExecutionWithTrace, NodeTrace } from '../../../src/api/executions.js';

/**
 * The trace of a run whose process died still says of its last nodes that they run. Once the execution has ended
 * nothing runs: they were cut short, at the latest when it ended.
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

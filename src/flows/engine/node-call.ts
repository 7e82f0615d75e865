import type { FlowRun } from './flow-run.js';
import type { CallResult, NodeCall } from './node-kind.js';
import type { NodeRun } from './run-event.js';

/** Runs a call between its two events. `work` receives the id of the call's run. */
export async function runCall<Result extends CallResult>(
  flow: FlowRun,
  by: Pick<NodeRun, 'nodeId' | 'runId'>,
  { name, kind, input }: NodeCall,
  work: (runId: string) => Promise<Result>,
): Promise<Result> {
  const nodeId = `${by.nodeId}/${name}`;
  const run: NodeRun = {
    runId: flow.options.newId(),
    nodeId,
    label: name,
    kind,
    status: 'running',
    startedAt: flow.options.now(),
    input,
    attempt: flow.nextAttempt(nodeId),
    parent: by.runId,
  };
  flow.begin(run, 'call');
  try {
    const result = await work(run.runId);
    const { output, error } = result;
    flow.end(run, {
      status: error === undefined ? 'succeeded' : 'failed',
      output,
      ...(error === undefined ? {} : { error }),
    });
    return result;
  } catch (error) {
    flow.end(run, { status: 'failed', error: flow.messageOf(error) });
    throw error;
  }
}

import { Observable } from 'rxjs';
import type { FlowGraph } from './flow-graph.js';
import { type FlowInput, FlowRun, type RunOptions } from './flow-run.js';
import type { NodeKinds } from './node-kind.js';
import { type Finished, noProgress, PartRun, type Progress } from './part-run.js';
import type { RunEvent } from './run-event.js';
import { restore, takeSnapshot } from './snapshot.js';

export type { FlowInput, RunOptions } from './flow-run.js';

/**
 * Runs a compiled flow once for each subscription and tells everything it does, in order (README.md beside this file).
 * The last event is exactly one of `finished`, `waiting`, `failed` and `aborted`; the Observable itself never errors.
 * Unsubscribing stops the run without an ending.
 */
export function runFlow(
  graph: FlowGraph,
  kinds: NodeKinds,
  input: FlowInput,
  options: RunOptions,
): Observable<RunEvent> {
  return new Observable<RunEvent>((subscriber) => {
    const flow = new FlowRun(graph, kinds, input, options, subscriber);
    if (options.signal.aborted) flow.abort();
    else void runToEnd(flow);
    return () => flow.drop();
  });
}

async function runToEnd(flow: FlowRun): Promise<void> {
  const { graph, input } = flow;
  const at = graph.byId.get(input.humanInput?.startNodeId ?? '') ?? graph.roots[0];
  try {
    const resumes = input.resume !== undefined;
    const progress = resumes ? restore(flow, input.resume!) : noProgress();
    if (resumes && !progress.waiting.some(({ node }) => node === at))
      throw new Error('This node is not waiting for an answer.');
    const part = new PartRun(flow, graph, progress);
    end(flow, progress, await part.run(resumes ? at : undefined));
  } catch (error) {
    flow.fail(at ?? { id: '', label: '' }, error);
  }
}

function end(flow: FlowRun, progress: Progress, last: Finished | undefined): void {
  const [waiting] = progress.waiting;
  if (waiting) {
    flow.answer.append(waiting.node.id, waiting.text);
    const stop = {
      nodeId: waiting.node.id,
      action: waiting.action,
      snapshot: takeSnapshot(flow, progress),
    };
    flow.emit({ type: 'waiting', stop, result: flow.result() });
    return;
  }
  const leafRan = flow.graph.leaves.some((leaf) => progress.finished.has(leaf));
  if (!leafRan && last) flow.answer.append(last.nodeId, last.answer);
  flow.emit({ type: 'finished', result: flow.result() });
}

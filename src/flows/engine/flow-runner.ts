import { Observable } from 'rxjs';
import type { FlowGraph } from './flow-graph.js';
import { FlowRun } from './flow-run.js';
import { actionOf } from './human-question.js';
import type { NodeKinds } from './node-kind.js';
import { PartRun } from './part-run.js';
import { type Finished, noProgress, type PartProgress, type Waiting } from './progress.js';
import type { PendingApproval, RunEvent } from './run-event.js';
import type { FlowInput, RunOptions } from './run-options.js';
import { FlowChanged, restore, takeSnapshot } from './snapshot.js';

/**
 * Runs a compiled flow once for each subscription and emits its events in order (see README.md in this folder). The last
 * event is `finished`, `waiting`, `failed` or `aborted`; the Observable itself never errors. Unsubscribing stops the run
 * without an ending.
 */
export function runFlow(
  graph: FlowGraph,
  kinds: NodeKinds,
  input: FlowInput,
  options: RunOptions,
): Observable<RunEvent> {
  return new Observable<RunEvent>((subscriber) => {
    const flow = new FlowRun(graph, kinds, input, options, subscriber, runFlow);
    if (options.signal.aborted) flow.abort();
    else void runToEnd(flow);
    return () => flow.drop();
  });
}

async function runToEnd(flow: FlowRun): Promise<void> {
  const {
    graph,
    input: { resume },
  } = flow;
  let at = graph.roots[0];
  try {
    if (!flow.options.within) flow.budget.countState(flow.state);
    const progress = resume ? restore(flow, resume.snapshot) : noProgress();
    const past = new Map(progress.finished);
    const [waiting] = progress.waiting;
    at = waiting?.node ?? at;
    const part = new PartRun(flow, graph, progress);
    const answered = resume && waiting && { waiting, answer: resume.answer };
    const last = await part.run(answered);
    const leafRan = graph.leaves.some((leaf) => progress.finished.get(leaf) !== past.get(leaf));
    end(flow, progress, leafRan ? undefined : last);
  } catch (error) {
    flow.fail(error instanceof FlowChanged ? error.node : (at ?? { id: '', label: '' }), error);
  }
}

/** Ends the run. `last` is the last node if no leaf has answered. */
function end(flow: FlowRun, progress: PartProgress, last: Finished | undefined): void {
  const [waiting] = progress.waiting;
  if (waiting) {
    try {
      const approval = approvalAt(flow, waiting, progress);
      flow.emit({ type: 'waiting', approval, result: flow.result() });
    } catch (error) {
      flow.fail(waiting.node, error);
    }
    return;
  }
  if (last) flow.answer.append(last.nodeId, last.answer);
  flow.emit({ type: 'finished', result: flow.result() });
}

/**
 * Returns the question of the first node that waits; the next one asks after it was answered. Throws when the snapshot of
 * the run is too large.
 */
function approvalAt(
  flow: FlowRun,
  { node, question, text }: Waiting,
  progress: PartProgress,
): PendingApproval {
  const { options } = flow;
  const snapshot = takeSnapshot(flow, progress);
  flow.budget.checkSnapshot(snapshot);
  flow.answer.append(node.id, text);
  const name = `${node.id}#${options.newToken()}`;
  return {
    name,
    nodeId: node.id,
    label: node.label,
    text,
    feedback: question.feedback ?? false,
    action: actionOf({ name, label: node.label, question }, options.newId()),
    snapshot,
  };
}

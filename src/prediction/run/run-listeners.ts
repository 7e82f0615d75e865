import type { Observable } from 'rxjs';
import { NODE_STATUSES } from '../../api/execution-terms.js';
import type { ExecutedNode, PredictionEvent } from '../../api/predictions.js';
import type { Measured } from '../../executions/execution.js';
import type { ExecutionTrace } from '../../executions/log/node-traces.js';
import type { FlowGraph } from '../../flows/engine/flow-graph.js';
import type { NodeRun, RunEvent } from '../../flows/engine/run-event.js';
import type { FrameLog } from '../stream/frame-log.js';
import { wireEventOf } from '../stream/prediction-form.js';

/** Node runs that end sooner are written once. */
const STARTED_AFTER_MS = 25;

/** Traces a run: each node run at its end, and at its start too if it takes longer. */
export function traceRun(events: Observable<RunEvent>, trace: ExecutionTrace): void {
  const running = new Map<string, NodeRun>();
  let timer: NodeJS.Timeout | undefined;
  const traceRunning = () => {
    timer = undefined;
    for (const run of running.values()) trace.node(run);
  };
  events.subscribe({
    next: (event) => {
      if (event.type === 'node-started' || event.type === 'call-started') {
        running.set(event.run.runId, event.run);
        timer ??= setTimeout(traceRunning, STARTED_AFTER_MS);
      } else if (event.type === 'node-ended' || event.type === 'call-ended') {
        running.delete(event.run.runId);
        trace.node(event.run);
      }
    },
    complete: () => clearTimeout(timer),
  });
}

/** Appends client events to the log of frames. */
export function logFrames(events: Observable<RunEvent>, log: FrameLog): void {
  events.subscribe((event) => {
    const seen = wireEventOf(event);
    if (seen) log.append(seen);
  });
}

/** Measures a run for its closing. */
export class RunWatch {
  readonly measured: Measured = {};
  readonly nodes: NodeRun[] = [];

  constructor(events: Observable<RunEvent>, keepsNodes: boolean, sinceStart: () => number) {
    events.subscribe((event) => {
      if (event.type === 'token') this.measured.firstTokenMs ??= Math.round(sinceStart());
      else if (keepsNodes && event.type === 'node-ended' && event.run.flowId === undefined)
        this.nodes.push(event.run);
    });
  }
}

/** Shortest interval between two lists. */
const EVERY_MS = 100;

const goodEndings: ReadonlySet<RunEvent['type']> = new Set(['finished', 'waiting']);
const badEndings: ReadonlySet<RunEvent['type']> = new Set(['failed', 'aborted']);

/**
 * Reports which nodes have run and which run now (contract section 7); the widget offers Stop by it. Reports with the
 * first node, then at most ten times a second, and at the end of the run, unless it ends well and `traceFollows`. Each
 * node appears once with its latest run, so the list is never longer than the flow.
 */
export function reportExecuted(
  events: Observable<RunEvent>,
  graph: FlowGraph,
  report: (event: PredictionEvent) => void,
  traceFollows: boolean,
): void {
  const nodes = new Map<string, ExecutedNode>();
  let timer: NodeJS.Timeout | undefined;
  let changed = false;
  const reportNow = () => {
    clearTimeout(timer);
    timer = undefined;
    if (changed) report({ event: 'agentFlowExecutedData', data: [...nodes.values()] });
    changed = false;
  };
  events.subscribe((event) => {
    if ('run' in event && event.run.flowId !== undefined) return;
    if (event.type === 'node-started' || event.type === 'node-ended') {
      const isFirst = nodes.size === 0;
      nodes.set(event.run.nodeId, executed(event.run, graph));
      changed = true;
      if (isFirst) reportNow();
      else timer ??= setTimeout(reportNow, EVERY_MS);
    } else if (badEndings.has(event.type) || (goodEndings.has(event.type) && !traceFollows)) reportNow();
    else if (goodEndings.has(event.type)) clearTimeout(timer);
  });
}

const executed = ({ nodeId, label, status }: NodeRun, graph: FlowGraph): ExecutedNode => ({
  nodeId,
  nodeLabel: label,
  status: NODE_STATUSES[status],
  previousNodeIds: previousNodes(graph, nodeId),
});

/** Returns the nodes whose edges lead to this one. */
const previousNodes = (graph: FlowGraph, nodeId: string): string[] =>
  graph.byId.get(nodeId)?.incoming.map(({ from }) => from.id) ?? [];

/** Returns node runs in the shape that Flowise's clients draw. */
export const executedData = (runs: readonly NodeRun[], graph: FlowGraph): ExecutedNode[] =>
  runs.map(({ nodeId, label, kind, status, input, output, error, durationMs }) => ({
    nodeId,
    nodeLabel: label,
    status: status === 'succeeded' ? 'FINISHED' : status === 'waiting' ? 'STOPPED' : 'ERROR',
    previousNodeIds: previousNodes(graph, nodeId),
    data: { id: nodeId, name: kind, input, output, error, durationMs },
  }));

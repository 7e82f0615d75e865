import type { Observable } from 'rxjs';
import type { Measured } from '../../executions/execution.js';
import type { ExecutionTrace } from '../../executions/log/node-traces.js';
import type { NodeRun, RunEvent } from '../../flows/engine/run-event.js';
import type { FrameLog } from '../stream/frame-log.js';
import { wireEventOf } from '../stream/wire-events.js';

/** Node runs that end sooner are written once, at their end. */
const STARTED_AFTER_MS = 25;

/** Writes the trace of a run: each node run when it ends, and at its start too when it takes longer. */
export function traceRun(events: Observable<RunEvent>, trace: ExecutionTrace): void {
  const running = new Map<string, NodeRun>();
  let timer: NodeJS.Timeout | undefined;
  const tellRunning = () => {
    timer = undefined;
    for (const run of running.values()) trace.node(run);
  };
  events.subscribe({
    next: (event) => {
      if (event.type === 'node-started' || event.type === 'call-started') {
        running.set(event.run.runId, event.run);
        timer ??= setTimeout(tellRunning, STARTED_AFTER_MS);
      } else if (event.type === 'node-ended' || event.type === 'call-ended') {
        running.delete(event.run.runId);
        trace.node(event.run);
      }
    },
    complete: () => clearTimeout(timer),
  });
}

/** Appends the events that clients see to the run's log of frames. */
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

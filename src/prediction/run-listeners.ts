import type { Observable } from 'rxjs';
import type { ExecutionTrace } from '../executions/node-traces.js';
import type { NodeRun, RunEvent } from '../flows/engine/run-event.js';
import type { FrameLog } from './frame-log.js';
import { wireEventOf } from './wire-events.js';

/** Node runs that end sooner are written once, not twice. */
const STARTED_AFTER_MS = 25;

/** Writes the trace of a run: each node run when it ends, and before that when it takes its time. */
export function traceRun(events: Observable<RunEvent>, trace: ExecutionTrace): void {
  const running = new Map<string, NodeRun>();
  let timer: NodeJS.Timeout | undefined;
  const tellRunning = () => {
    timer = undefined;
    for (const run of running.values()) trace.node(run);
  };
  events.subscribe({
    next: (event) => {
      if (event.type === 'node-started') {
        running.set(event.run.runId, event.run);
        timer ??= setTimeout(tellRunning, STARTED_AFTER_MS);
      } else if (event.type === 'node-ended') {
        running.delete(event.run.runId);
        trace.node(event.run);
      }
    },
    complete: () => clearTimeout(timer),
  });
}

/** Puts what clients see of a run into its log of frames. */
export function logFrames(events: Observable<RunEvent>, log: FrameLog): void {
  events.subscribe((event) => {
    const seen = wireEventOf(event);
    if (seen) log.append(seen);
  });
}

/** What the closing needs to know of a run besides its last event. */
export class RunWatch {
  firstTokenMs: number | undefined;
  readonly nodes: NodeRun[] = [];

  constructor(events: Observable<RunEvent>, keepsNodes: boolean, sinceStart: () => number) {
    events.subscribe((event) => {
      if (event.type === 'token') this.firstTokenMs ??= sinceStart();
      else if (keepsNodes && event.type === 'node-ended') this.nodes.push(event.run);
    });
  }
}

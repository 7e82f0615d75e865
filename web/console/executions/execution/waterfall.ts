import type { ExecutionRecord, NodeTrace } from '../../../../src/api/executions.js';

/** A node run as a bar; offset and width are fractions of the whole time (0 to 1). */
export interface Bar {
  run: NodeTrace;
  /** Nesting depth in iterations and loops. */
  depth: number;
  offset: number;
  width: number;
  /** Since the execution began. */
  startMs: number;
  /** Its duration, or the time so far while it runs. */
  durationMs: number;
}

export interface Waterfall {
  bars: readonly Bar[];
  /** The duration of the whole axis. */
  spanMs: number;
}

/** Lays out the runs along the time axis. A trace that a later call resumed is longer than its record says. */
export function waterfallOf(
  execution: Pick<ExecutionRecord, 'startedAt' | 'finishedAt' | 'status'>,
  nodes: readonly NodeTrace[],
  now = Date.now(),
): Waterfall {
  const begin = nodes.reduce(
    (first, run) => Math.min(first, Date.parse(run.startedAt)),
    Date.parse(execution.startedAt),
  );
  const live = execution.status === 'running';
  const lengthOf = (run: NodeTrace): number => {
    const start = Date.parse(run.startedAt);
    if (run.durationMs !== null) return run.durationMs;
    return live && run.status === 'running' ? Math.max(0, now - start) : 0;
  };
  const finished = execution.finishedAt === null ? (live ? now : begin) : Date.parse(execution.finishedAt);
  const end = nodes.reduce(
    (last, run) => Math.max(last, Date.parse(run.startedAt) + lengthOf(run)),
    finished,
  );
  const spanMs = Math.max(1, end - begin);
  const depthOf = depths(nodes);
  const bars = nodes.map((run): Bar => {
    const startMs = Date.parse(run.startedAt) - begin;
    const durationMs = lengthOf(run);
    return {
      run,
      depth: depthOf(run),
      offset: startMs / spanMs,
      width: durationMs / spanMs,
      startMs,
      durationMs,
    };
  });
  return { bars, spanMs };
}

const MOST_DEPTH = 8;

function depths(nodes: readonly NodeTrace[]): (run: NodeTrace) => number {
  const byId = new Map(nodes.map((run) => [run.runId, run]));
  return (run) => {
    let depth = 0;
    let at = run.parent === undefined ? undefined : byId.get(run.parent);
    while (at !== undefined && depth < MOST_DEPTH) {
      depth++;
      at = at.parent === undefined ? undefined : byId.get(at.parent);
    }
    return depth;
  };
}

/** Returns the most telling run: the failed one, else one that runs, waits or was stopped, else the last. */
export function tellingRun(
  execution: Pick<ExecutionRecord, 'failedNode'>,
  nodes: readonly NodeTrace[],
): NodeTrace | undefined {
  const latest = (matches: (run: NodeTrace) => boolean) => nodes.findLast(matches);
  const failed = execution.failedNode?.id;
  return (
    (failed === undefined ? undefined : latest((run) => run.nodeId === failed && run.status === 'failed')) ??
    latest((run) => run.status === 'failed') ??
    latest((run) => run.status === 'running' || run.status === 'waiting') ??
    latest((run) => run.status === 'stopped') ??
    nodes.at(-1)
  );
}

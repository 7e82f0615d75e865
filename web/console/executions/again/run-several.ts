import type { ExecutionRecord } from '../../../../src/api/executions.js';
import type { RunEnd } from '../../api/follow-run.js';

/** An execution that is run again, and how far its new run is. */
export interface RunAgain {
  source: ExecutionRecord;
  state: 'waiting' | 'running' | 'ended';
  /** The record of the new run. */
  executionId?: string;
  end?: RunEnd;
}

/** Runs an execution again; reports the id of the new run as soon as it has one. */
export type Run = (source: ExecutionRecord, begun: (executionId: string) => void) => Promise<RunEnd>;

/** Runs that are active at once: the flow's callers should notice nothing. */
const AT_ONCE = 2;

/** Returns the executions that can be run again: calls of a flow that have ended. */
export const repeatable = (executions: readonly ExecutionRecord[]): ExecutionRecord[] =>
  executions.filter(
    ({ kind, flowId, status }) =>
      kind === 'prediction' && flowId !== null && status !== 'running' && status !== 'waiting',
  );

/** Runs executions again, oldest first and two at once, and reports each step. An abort starts no further run. */
export async function runSeveral(
  sources: readonly ExecutionRecord[],
  run: Run,
  show: (runs: readonly RunAgain[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const ordered = [...sources].sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1));
  let runs: readonly RunAgain[] = ordered.map((source) => ({ source, state: 'waiting' }));
  const set = (index: number, part: Partial<RunAgain>) =>
    show((runs = runs.map((each, at) => (at === index ? { ...each, ...part } : each))));
  show(runs);
  let next = 0;
  const work = async () => {
    while (next < ordered.length && !signal.aborted) {
      const index = next++;
      set(index, { state: 'running' });
      const end = await run(ordered[index]!, (executionId) => set(index, { executionId }));
      const { executionId } = end;
      set(index, { state: 'ended', end, ...(executionId !== undefined && { executionId }) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

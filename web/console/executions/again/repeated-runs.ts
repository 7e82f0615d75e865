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

/** Executions that are run again, and whether more of them start. */
export interface SeveralRuns {
  runs: readonly RunAgain[];
  isStopped: boolean;
  isOver: boolean;
}

/** Returns the executions that can be run again: calls of a flow that have ended, except answers to an approval. */
export const repeatable = (executions: readonly ExecutionRecord[]): ExecutionRecord[] =>
  executions.filter(
    ({ kind, flowId, status, resumes }) =>
      kind === 'prediction' &&
      flowId !== null &&
      status !== 'running' &&
      status !== 'waiting' &&
      resumes === undefined,
  );

const isOver = (runs: readonly RunAgain[], isStopped: boolean): boolean =>
  runs.every(({ state }) => state === 'ended' || (isStopped && state === 'waiting'));

/** Runs executions again, oldest first and two at once. They continue when the person opens another page. */
export class RepeatedRuns {
  private several: SeveralRuns | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly run: Run) {}

  readonly snapshot = (): SeveralRuns | undefined => this.several;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  async start(sources: readonly ExecutionRecord[]): Promise<void> {
    const ordered = [...sources].sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1));
    let runs: readonly RunAgain[] = ordered.map((source) => ({ source, state: 'waiting' }));
    const set = (index: number, part: Partial<RunAgain>) =>
      this.show((runs = runs.map((each, at) => (at === index ? { ...each, ...part } : each))));
    this.show(runs, false);
    let next = 0;
    const work = async () => {
      while (next < ordered.length && !this.several?.isStopped) {
        const index = next++;
        set(index, { state: 'running' });
        const end = await this.run(ordered[index]!, (executionId) => set(index, { executionId }));
        const { executionId } = end;
        set(index, { state: 'ended', end, ...(executionId !== undefined && { executionId }) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Starts no further run. */
  readonly stop = (): void => {
    if (this.several) this.show(this.several.runs, true);
  };

  /** Removes the runs once all have ended. */
  readonly forget = (): void => {
    if (this.several?.isOver) this.set(undefined);
  };

  private show(runs: readonly RunAgain[], isStopped = this.several?.isStopped ?? false): void {
    this.set({ runs, isStopped, isOver: isOver(runs, isStopped) });
  }

  private set(several: SeveralRuns | undefined): void {
    this.several = several;
    for (const listener of this.listeners) listener();
  }
}

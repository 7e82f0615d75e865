import { ApiError, mayPass } from '../../api/api-error.js';

/** One call that corrects a photograph, a remark or an area. */
export interface Step {
  /** The ids of the corrected records. */
  ids: readonly string[];
  /** The record's name for people: `25 Oct 2026, 01:30 BST, Hallway`. */
  name: string;
  /** Sends the call, which is idempotent. */
  send: () => Promise<unknown>;
  /** The steps that undo it. */
  back?: readonly Step[];
}

/** Steps that belong to one request of the person. */
export interface Batch {
  /** Describes the steps done: `3 photographs moved to Kitchen`. */
  summary: (done: number) => string;
  steps: readonly Step[];
}

export interface FailedStep {
  step: Step;
  sentence: string;
  again: boolean;
}

export interface RunState {
  /** Ids of records being corrected, until the page shows the result. */
  busy: ReadonlySet<string>;
  /** `waitMs`: the wait that the service asks for. */
  running?: { done: number; total: number; waitMs?: number };
  /** The result of the last batch. */
  outcome?: { summary: string; failed: readonly FailedStep[]; undo?: Batch };
}

const AT_ONCE = 3;
/** Waits for a rate limit or a busy service before a step fails. */
const MOST_WAITS = 10;
const IDLE: RunState = { busy: new Set() };

/**
 * Runs the corrections of one inspection: batches one after another, a few steps of a batch at once. Refused steps are
 * reported by name; the others stand. The run continues when the person opens another page.
 */
export class CorrectionRun {
  private state: RunState = IDLE;
  private batches: Batch[] = [];
  /** Waits in progress, in milliseconds. */
  private readonly waits: number[] = [];
  private all: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<() => void>();

  /** `reload` resolves when the page shows the current records. */
  constructor(
    private readonly reload: () => Promise<unknown>,
    private readonly wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  ) {}

  readonly snapshot = (): RunState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get isBusy(): boolean {
    return this.state.running !== undefined;
  }

  /** Queues a batch. Resolves when it has ended. */
  readonly start = async (batch: Batch): Promise<void> => {
    if (batch.steps.length === 0) return;
    this.batches.push(batch);
    const busy = new Set([...this.state.busy, ...batch.steps.flatMap(({ ids }) => ids)]);
    const { done, total } = this.state.running ?? { done: 0, total: 0 };
    const isFirst = !this.isBusy;
    this.set({ ...this.state, busy, running: { done, total: total + batch.steps.length } });
    if (isFirst) this.all = this.runAll();
    await this.all;
  };

  readonly undo = (): void => {
    const undo = this.state.outcome?.undo;
    if (undo) void this.start(undo);
  };

  /** Retries the failed steps that may succeed. */
  readonly retry = (): void => {
    const steps = (this.state.outcome?.failed ?? []).flatMap(({ step, again }) => (again ? [step] : []));
    void this.start({ summary: (done) => `${done} corrected on retry`, steps });
  };

  readonly dismiss = (): void => {
    const { outcome: _, ...rest } = this.state;
    this.set(rest);
  };

  private async runAll(): Promise<void> {
    const failed: FailedStep[] = [];
    let outcome: RunState['outcome'];
    // More batches may be queued while the page reloads.
    while (this.batches.length > 0) {
      for (let batch = this.batches.shift(); batch; batch = this.batches.shift()) {
        outcome = await this.runOne(batch);
        failed.push(...outcome.failed);
      }
      await this.reload().catch(() => undefined);
    }
    this.set({ ...IDLE, ...(outcome ? { outcome: { ...outcome, failed } } : {}) });
  }

  private async runOne({ steps, summary }: Batch): Promise<NonNullable<RunState['outcome']>> {
    const done: Step[] = [];
    const failed: FailedStep[] = [];
    const waiting = steps.values();
    const work = async () => {
      for (const step of waiting) {
        const error = await this.sendPatiently(step).then(
          () => undefined,
          (reason: unknown) => ({ reason }),
        );
        if (error) failed.push(failedStep(step, error.reason));
        else done.push(step);
        this.count();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const back = done.flatMap((step) => step.back ?? []);
    const undo = back.length > 0 && { undo: { steps: back, summary: () => 'Undone' } };
    return { summary: done.length > 0 ? summary(done.length) : '', failed, ...undo };
  }

  private async sendPatiently(step: Step): Promise<void> {
    for (let waits = 0; ; waits++) {
      try {
        return void (await step.send());
      } catch (error) {
        const isPassing = error instanceof ApiError && (error.status === 429 || error.status === 503);
        const waitMs = isPassing ? error.retryAfterMs : undefined;
        if (waitMs === undefined || waits >= MOST_WAITS) throw error;
        this.waits.push(waitMs);
        this.show(this.state.running!);
        await this.wait(waitMs);
        this.waits.splice(this.waits.indexOf(waitMs), 1);
        this.show(this.state.running!);
      }
    }
  }

  private count(): void {
    const { done, total } = this.state.running!;
    this.show({ done: done + 1, total });
  }

  /** Sets the progress, with the longest wait as long as a step waits. */
  private show({ done, total }: { done: number; total: number }): void {
    const wait = this.waits.length > 0 ? { waitMs: Math.max(...this.waits) } : {};
    this.set({ ...this.state, running: { done, total, ...wait } });
  }

  private set(state: RunState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

function failedStep(step: Step, error: unknown): FailedStep {
  const code = error instanceof ApiError ? error.code : '';
  const refused = error instanceof ApiError && error.status > 0 && error.status < 500;
  if (code === 'already_claimed')
    return { step, sentence: 'a report has just claimed it; nothing was changed', again: false };
  const sentence = refused ? error.message : 'the service did not answer; nothing may have been changed';
  return { step, sentence, again: mayPass(error) };
}

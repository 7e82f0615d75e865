import { ApiError, mayPass } from '../../api/api-error.js';

/** One call, of one photograph, remark or area. */
export interface Step {
  /** The records that it is of. */
  ids: readonly string[];
  /** As a person knows it: `25 Oct 2026, 01:30 BST, Hallway`. */
  name: string;
  /** Sent twice, it is made once. */
  send: () => Promise<unknown>;
  /** Says again what was said before. */
  back?: readonly Step[];
}

/** Steps that a person asked for at once. */
export interface Batch {
  /** Of so many that were done: `3 photographs moved to Kitchen`. */
  told: (done: number) => string;
  steps: readonly Step[];
}

export interface FailedStep {
  step: Step;
  sentence: string;
  again: boolean;
}

export interface RunState {
  /** The records on their way, until the page shows them as they are then. */
  busy: ReadonlySet<string>;
  /** `waitMs`: the service asks to come back then. */
  running?: { done: number; of: number; waitMs?: number };
  /** The batch that ended last. */
  outcome?: { told: string; failed: readonly FailedStep[]; undo?: Batch };
}

const AT_ONCE = 3;
/** So many times a step waits for a rate limit by itself. */
const MOST_WAITS = 10;
const IDLE: RunState = { busy: new Set() };

/**
 * The corrections of one inspection, made here: batches one after another, a few steps of one at once. Every step that
 * was refused is told by its name, the others stand. Goes on whatever page is shown.
 */
export class CorrectionRun {
  private state: RunState = IDLE;
  private batches: Batch[] = [];
  private all: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<() => void>();

  /** `reload` resolves when the page shows what stands. */
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

  /** Resolves when this batch, and those before it, have ended. */
  readonly start = async (batch: Batch): Promise<void> => {
    if (batch.steps.length === 0) return;
    this.batches.push(batch);
    const busy = new Set([...this.state.busy, ...batch.steps.flatMap(({ ids }) => ids)]);
    const { done, of } = this.state.running ?? { done: 0, of: 0 };
    const isFirst = !this.isBusy;
    this.set({ ...this.state, busy, running: { done, of: of + batch.steps.length } });
    if (isFirst) this.all = this.runAll();
    await this.all;
  };

  readonly undo = (): void => {
    const undo = this.state.outcome?.undo;
    if (undo) void this.start(undo);
  };

  /** Sends the steps again that may succeed now. */
  readonly retry = (): void => {
    const steps = (this.state.outcome?.failed ?? []).flatMap(({ step, again }) => (again ? [step] : []));
    void this.start({ told: (done) => `${done} corrected on retry`, steps });
  };

  readonly dismiss = (): void => {
    const { outcome: _, ...rest } = this.state;
    this.set(rest);
  };

  private async runAll(): Promise<void> {
    const failed: FailedStep[] = [];
    let outcome: RunState['outcome'];
    // More may be asked for while the page is loading what stands.
    while (this.batches.length > 0) {
      for (let batch = this.batches.shift(); batch; batch = this.batches.shift()) {
        outcome = await this.runOne(batch);
        failed.push(...outcome.failed);
      }
      await this.reload().catch(() => undefined);
    }
    this.set({ ...IDLE, ...(outcome ? { outcome: { ...outcome, failed } } : {}) });
  }

  private async runOne({ steps, told }: Batch): Promise<NonNullable<RunState['outcome']>> {
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
    const undo = back.length > 0 && { undo: { steps: back, told: () => 'Undone' } };
    return { told: done.length > 0 ? told(done.length) : '', failed, ...undo };
  }

  private async sendPatiently(step: Step): Promise<void> {
    for (let waits = 0; ; waits++) {
      try {
        return void (await step.send());
      } catch (error) {
        const waitMs = error instanceof ApiError && error.status === 429 ? error.retryAfterMs : undefined;
        if (waitMs === undefined || waits >= MOST_WAITS) throw error;
        this.set({ ...this.state, running: { ...this.state.running!, waitMs } });
        await this.wait(waitMs);
      }
    }
  }

  private count(): void {
    const { done, of } = this.state.running!;
    this.set({ ...this.state, running: { done: done + 1, of } });
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
  return { step, sentence, again: mayPass(error) || code === 'rate_limited' };
}

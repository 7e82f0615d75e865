/**
 * Runs a round of work at an interval. A round that falls due while another runs is skipped. The timer does not keep the
 * process alive.
 */
export class Periodic<Result = void> {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<Result> | undefined;
  private isOver = false;

  constructor(
    private readonly everyMs: number,
    private readonly work: () => Promise<Result>,
    /** Receives the errors of rounds that nobody awaits. */
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Begins the first round after `firstAfterMs`. */
  start(firstAfterMs = this.everyMs): void {
    this.isOver = false;
    this.timer = setTimeout(() => {
      this.timer = setInterval(() => void this.kick(), this.everyMs).unref();
      void this.kick();
    }, firstAfterMs).unref();
  }

  /** Resolves when the current round has ended. Long work checks `isStopped` to end early. */
  async stop(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.timer);
    await this.round?.catch(() => undefined);
  }

  get isStopped(): boolean {
    return this.isOver;
  }

  /** Runs a round now, or joins the current one. */
  run(): Promise<Result> {
    return (this.round ??= this.work().finally(() => (this.round = undefined)));
  }

  /** Like `run`, but never rejects. */
  async kick(): Promise<void> {
    await this.run().catch(this.failed);
  }
}

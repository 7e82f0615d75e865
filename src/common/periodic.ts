/**
 * Runs a round of work at an interval, one at a time: a round that falls due while another runs is left out. Its timer
 * does not keep the process alive.
 */
export class Periodic<Result = void> {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<Result> | undefined;
  private isOver = false;

  constructor(
    private readonly everyMs: number,
    private readonly work: () => Promise<Result>,
    /** Gets the errors of rounds that nobody waits for. */
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

  /** Resolves when the round under way has ended. Long work stops early by looking at `isStopped`. */
  async stop(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.timer);
    await this.round?.catch(() => undefined);
  }

  get isStopped(): boolean {
    return this.isOver;
  }

  /** Runs a round now, or joins the one under way. */
  run(): Promise<Result> {
    return (this.round ??= this.work().finally(() => (this.round = undefined)));
  }

  /** The same, but never rejects. */
  async kick(): Promise<void> {
    await this.run().catch(this.failed);
  }
}

/**
 * Runs a round of work at an interval. A round that falls due while another runs is skipped. The timer does not keep the
 * process alive.
 */
export class Periodic<Result = void> {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<Result> | undefined;
  /** The round that callers wait for while another runs. */
  private next: Promise<Result> | undefined;
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
      const fallsDue = () => void (this.round ?? this.kick());
      this.timer = setInterval(fallsDue, this.everyMs).unref();
      fallsDue();
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

  /** Runs a round that sees what happened before the call: it begins now, or when the current one has ended. */
  run(): Promise<Result> {
    const { round } = this;
    if (!round) return this.begin();
    const afterwards = () => {
      this.next = undefined;
      return this.isOver ? round : (this.round ?? this.begin());
    };
    return (this.next ??= round.then(afterwards, afterwards));
  }

  /** Like `run`, but never rejects. */
  async kick(): Promise<void> {
    await this.run().catch(this.failed);
  }

  private begin(): Promise<Result> {
    this.round = this.work().finally(() => (this.round = undefined));
    return this.round;
  }
}

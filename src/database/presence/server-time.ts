import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/logger.js';

/** Well kept clocks differ by less. */
const APART_MS = 1_000;

/**
 * One time for all processes on a PostgreSQL: that of its server, where the clock of a process's own machine is wrong by
 * more than a second. Rate windows, blocks, the order of a chat's turns and the expiry of links compare instants that
 * other processes have noted.
 */
export class ServerTime {
  private correction = 0;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Takes the server's time (epoch ms) from an answer; it stands for an instant between the question and the answer.
   * `askedAt` is `clock.elapsed()` before the question. False, with nothing changed, where the answer took too long to say which.
   */
  observe(serverMs: number, sentAt: number): boolean {
    // Before the look at what it took: a process that is stopped between the two finds that it took too long.
    const here = this.clock.machineNow();
    const took = this.clock.elapsed() - sentAt;
    if (took > APART_MS) return false;
    const ahead = serverMs + took / 2 - here;
    if (Math.abs(ahead - this.correction) <= APART_MS) return true;
    this.correction = Math.abs(ahead) <= APART_MS ? 0 : Math.round(ahead);
    this.clock.correctBy(this.correction);
    const seconds = Math.abs(ahead / 1000).toFixed(1);
    if (this.correction === 0)
      this.logger.warn("this machine's clock agrees with the database server's again");
    else
      this.logger.warn(
        { correctionMs: this.correction },
        `this machine's clock is ${seconds} s ${ahead > 0 ? 'behind' : 'ahead of'} the database server's: this process goes by the server's`,
      );
    return true;
  }
}

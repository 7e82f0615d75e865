import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/logger.js';

/** Synchronized clocks differ by less. */
const APART_MS = 1_000;

/**
 * Corrects the clock by the PostgreSQL server's time when the machine's is wrong by more than a second. Rate windows,
 * blocks, the order of a chat's turns and the expiry of links compare instants from several processes.
 */
export class ServerTime {
  private correction = 0;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Observes the server's time (epoch ms) in an answer; `sentAt` is `clock.elapsed()` before the query. Returns false and
   * changes nothing when the answer took too long to be exact.
   */
  observe(serverMs: number, sentAt: number): boolean {
    // Read before the duration, so that a process that is suspended in between finds that it took too long.
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
        `this machine's clock is ${seconds} s ${ahead > 0 ? 'behind' : 'ahead of'} the database server's: this process uses the server's`,
      );
    return true;
  }
}

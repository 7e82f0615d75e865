/**
 * Replicas that are killed, suspended and woken, and whose connections to PostgreSQL, S3 and Redis are cut, slowed and
 * half-closed.
 */
import { bucketEnv } from './bucket.mjs';
import { startFaultRelay } from './fault-relay.mjs';
import { between, oneOf } from './random.mjs';
import { startService } from './service.mjs';

const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const KINDS = ['kill', 'stop', 'cut', 'cut', 'slow', 'halfClose', 'halfClose'];
/** Redis less often: it has only the frames of streams. */
const SERVERS = ['PostgreSQL', 'PostgreSQL', 'S3', 'S3', 'Redis'];

/** Draws a trouble of any kind, or one of the wanted ones: `stop`, `cut S3`. */
function drawTrouble(random, wanted) {
  const [kind, server] = wanted ? oneOf(random, wanted).split(' ') : [oneOf(random, KINDS)];
  const takesAway = kind === 'kill' || kind === 'stop';
  return { kind, takesAway, server: takesAway ? undefined : (server ?? oneOf(random, SERVERS)) };
}

/**
 * Longest time that a server is unreachable after a cut. Callers do not notice merely cut connections to a bucket: the
 * service tries four times, over a second.
 */
const AWAY_MS = { PostgreSQL: 0, S3: 6_000, Redis: 6_000 };

/** The delay with which a supervisor of processes repeats a failed start. */
const START_AGAIN_MS = 1_000;
const MOST_STARTS = 8;

const wrongClock = new URL('./wrong-clock.mjs', import.meta.url).href;
/** Errors of the clocks of the replicas' machines, in rotation. */
const CLOCKS_WRONG_BY_MS = [30_000, 0, -30_000];

export class Replicas {
  /** Kind of trouble, with its server → number of occurrences. */
  made = {};
  /** The last log lines of replicas that ended though nobody killed them. */
  fallen = [];
  over = false;
  underWay = new Set();

  /**
   * `servers`: URLs of PostgreSQL, S3 and Redis; `stopMs`: the duration of a suspension; `wanted`: the troubles to
   * make, all by default.
   */
  constructor(place, { env, servers, random, count, stopMs, wanted }) {
    Object.assign(this, { place, env, servers, random, count, stopMs, wanted });
  }

  async begin() {
    this.all = [];
    for (let index = 0; index < this.count; index++) {
      const ways = {};
      for (const [server, url] of Object.entries(this.servers))
        ways[server] = await startFaultRelay(url, this.random);
      const place = { ...this.place, databaseUrl: ways.PostgreSQL.url };
      const clock = {
        NODE_OPTIONS: `--import ${wrongClock}`,
        CLOCK_WRONG_BY_MS: String(CLOCKS_WRONG_BY_MS[index % CLOCKS_WRONG_BY_MS.length]),
      };
      const env = { ...this.env, ...bucketEnv(ways.S3.url), REDIS_URL: ways.Redis.url, ...clock };
      const replica = { ways, start: () => startService(place, env), away: false };
      await this.start(replica);
      this.all.push(replica);
    }
  }

  async start(replica) {
    const service = await replica.start();
    replica.service = service;
    service.child.once('exit', (code) => code === null || this.stopping || this.lift(replica, service));
  }

  /** Starts one that ended though nobody killed it; otherwise its callers would wait for nothing. */
  lift(replica, { log }) {
    this.fallen.push(log());
    // Otherwise it ended just before it was killed, and is started after that.
    if (!replica.away) this.begun(this.startAgain(replica));
  }

  /** Its connections may be cut while it starts: it reports that and ends, and is started again. */
  async startAgain(replica) {
    replica.away = true;
    for (let tries = 1; ; tries++) {
      try {
        await this.start(replica);
        break;
      } catch (error) {
        if (tries === MOST_STARTS) throw error;
        await pass(START_AGAIN_MS);
      }
    }
    replica.away = false;
  }

  begun(doing) {
    const done = doing.finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  get urls() {
    return this.all.map(({ service }) => service.url);
  }

  /** Counts the connections to this server that were cut or half-closed. */
  struck(server) {
    return this.all.reduce((sum, { ways }) => sum + ways[server].struck, 0);
  }

  /** Makes trouble until `over`; resolves when all are up and awake again. */
  async trouble() {
    while (!this.over) {
      await pass(between(this.random, 200, 1_500));
      const { kind, server, takesAway } = drawTrouble(this.random, this.wanted);
      const replica = oneOf(this.random, this.all);
      // At least one is up and awake, or nothing is tried.
      const away = this.all.filter((each) => each.away);
      if (this.over || replica.away || (takesAway && away.length === this.count - 1)) continue;
      const name = server ? `${kind} ${server}` : kind;
      this.made[name] = (this.made[name] ?? 0) + 1;
      this.begun(this[kind](replica, replica.ways[server], AWAY_MS[server]));
    }
    await Promise.all(this.underWay);
  }

  async kill(replica) {
    replica.away = true;
    await replica.service.kill();
    await pass(between(this.random, 0, 5_000));
    await this.startAgain(replica);
  }

  async stop(replica) {
    replica.away = true;
    replica.service.child.kill('SIGSTOP');
    // With its connections it holds its lock and its runs; without, it counts as dead, and wakes up to that.
    for (const way of Object.values(replica.ways)) if (this.random() < 0.6) way.cut(1);
    await pass(this.stopMs);
    replica.service.child.kill('SIGCONT');
    replica.away = false;
  }

  async cut(_, way, awayMs) {
    const forMs = between(this.random, 0, awayMs);
    const share = between(this.random, 0.2, 1.2);
    way.cut(forMs > 0 ? 1 : share, forMs);
    await pass(forMs);
  }

  async slow(_, way) {
    const forMs = between(this.random, 500, 3_000);
    way.slow(between(this.random, 20, 200), forMs);
    await pass(forMs);
  }

  async halfClose(_, way) {
    const forMs = between(this.random, 500, 5_000);
    way.halfClose(between(this.random, 0.2, 0.8), forMs);
    await pass(forMs);
  }

  async end() {
    await Promise.all(this.underWay);
    this.stopping = true;
    for (const { service, ways } of this.all) {
      await service.stop();
      for (const way of Object.values(ways)) way.close();
    }
  }
}

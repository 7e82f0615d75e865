/**
 * Replicas that are killed, stopped and woken, and whose connections to PostgreSQL, S3 and Redis are cut, slowed and
 * half-closed.
 */
import { bucketEnv } from './bucket.mjs';
import { startFaultRelay } from './fault-relay.mjs';
import { between, oneOf } from './random.mjs';
import { startService } from './service.mjs';

const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const KINDS = ['kill', 'stop', 'cut', 'cut', 'slow', 'halfClose', 'halfClose'];
/** Redis less often: nothing but the frames of streams is there. */
const SERVERS = ['PostgreSQL', 'PostgreSQL', 'S3', 'S3', 'Redis'];

/** A trouble of any kind, or one of those that are wanted: `stop`, `cut S3`. */
function drawTrouble(random, wanted) {
  const [kind, server] = wanted ? oneOf(random, wanted).split(' ') : [oneOf(random, KINDS)];
  const takesAway = kind === 'kill' || kind === 'stop';
  return { kind, takesAway, server: takesAway ? undefined : (server ?? oneOf(random, SERVERS)) };
}

/**
 * How long a server cannot be reached after a cut, at most. Of a bucket whose connections are merely cut no caller hears: it
 * is asked four times, which takes a second.
 */
const AWAY_MS = { PostgreSQL: 0, S3: 6_000, Redis: 6_000 };

/** As whatever supervises processes would: a start that failed is tried again after a moment. */
const START_AGAIN_MS = 1_000;
const MOST_STARTS = 8;

const wrongClock = new URL('./wrong-clock.mjs', import.meta.url).href;
/** By how much the clock of a replica's machine is wrong, in turn. */
const CLOCKS_WRONG_BY_MS = [30_000, 0, -30_000];

export class Replicas {
  /** Kind of trouble, and on the way to which server → how often it was made. */
  made = {};
  /** The last words of replicas that ended though nobody killed them. */
  fallen = [];
  over = false;
  underWay = new Set();

  /**
   * `servers`: URLs of PostgreSQL, S3 and Redis; `stopMs`: how long a stopped replica stands still; `wanted`: the troubles
   * that are made, all without it.
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

  /** Starts one that ended though nobody killed it: without, its callers would wait for nothing. */
  lift(replica, { log }) {
    this.fallen.push(log());
    // Else it fell while it was about to be killed, and is started after that.
    if (!replica.away) this.begun(this.startAgain(replica));
  }

  /** Its connections may be cut while it starts: it says so and ends, and is started again. */
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

  /** How many connections to this server were cut or half-closed. */
  struck(server) {
    return this.all.reduce((sum, { ways }) => sum + ways[server].struck, 0);
  }

  /** Makes trouble until `over`; resolves when everybody is up and awake again. */
  async trouble() {
    while (!this.over) {
      await pass(between(this.random, 200, 1_500));
      const { kind, server, takesAway } = drawTrouble(this.random, this.wanted);
      const replica = oneOf(this.random, this.all);
      // One of them at least is up and awake, or nothing is tried.
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
    // With its connections it keeps its lock and its runs; without, others take it for dead, and it wakes up to that.
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

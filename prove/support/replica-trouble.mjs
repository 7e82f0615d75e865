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

const wrongClock = new URL('./wrong-clock.mjs', import.meta.url).href;
/** By how much the clock of a replica's machine is wrong, in turn. */
const CLOCKS_WRONG_BY_MS = [30_000, 0, -30_000];

export class Replicas {
  /** Kind of trouble, and on the way to which server → how often it was made. */
  made = {};
  /** The last words of replicas that ended though nobody killed them. */
  fallen = [];
  over = false;

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
      const start = () => startService(place, env);
      const replica = { ways, start: () => this.watched(start), away: false };
      replica.service = await replica.start();
      this.all.push(replica);
    }
  }

  async watched(start) {
    const service = await start();
    service.child.once('exit', (code) => code === null || this.stopping || this.fallen.push(service.log()));
    return service;
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
    const underWay = new Set();
    while (!this.over) {
      await pass(between(this.random, 200, 1_500));
      const { kind, server, takesAway } = drawTrouble(this.random, this.wanted);
      const replica = oneOf(this.random, this.all);
      // One of them at least is up and awake, or nothing is tried.
      const away = this.all.filter((each) => each.away);
      if (this.over || replica.away || (takesAway && away.length === this.count - 1)) continue;
      const name = server ? `${kind} ${server}` : kind;
      this.made[name] = (this.made[name] ?? 0) + 1;
      const done = this[kind](replica, replica.ways[server], AWAY_MS[server]);
      underWay.add(done);
      void done.then(() => underWay.delete(done));
    }
    await Promise.all(underWay);
  }

  async kill(replica) {
    replica.away = true;
    await replica.service.kill();
    await pass(between(this.random, 0, 5_000));
    // Its connections may be cut while it starts: it says so and ends, and is started again.
    for (let tries = 0; ; tries++) {
      try {
        replica.service = await replica.start();
        break;
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
    replica.away = false;
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
    this.stopping = true;
    for (const { service, ways } of this.all) {
      await service.stop();
      for (const way of Object.values(ways)) way.close();
    }
  }
}

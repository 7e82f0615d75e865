/** Replicas that are killed, stopped and woken, and whose connections to PostgreSQL are cut, slowed and half-closed. */
import { startFaultRelay } from './fault-relay.mjs';
import { between, oneOf } from './random.mjs';
import { startService } from './service.mjs';

const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Replicas {
  /** Kind of trouble → how often it was made. */
  made = {};
  /** The last words of replicas that ended though nobody killed them. */
  fallen = [];
  over = false;

  /** `stopMs`: how long a stopped one stands still. */
  constructor(place, { env, random, count, stopMs }) {
    Object.assign(this, { place, env, random, count, stopMs });
  }

  async begin() {
    this.all = [];
    for (let index = 0; index < this.count; index++) {
      const relay = await startFaultRelay(this.place.databaseUrl, this.random);
      const place = { ...this.place, databaseUrl: relay.url };
      const start = () => startService(place, this.env);
      const replica = { relay, start: () => this.watched(start), away: false };
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

  /** Makes trouble until `over`; resolves when everybody is up and awake again. */
  async trouble() {
    const kinds = ['kill', 'stop', 'cut', 'cut', 'slow', 'halfClose', 'halfClose'];
    const underWay = new Set();
    while (!this.over) {
      await pass(between(this.random, 200, 1_500));
      const kind = oneOf(this.random, kinds);
      const replica = oneOf(this.random, this.all);
      // One of them at least is up and awake, or nothing is tried.
      const away = this.all.filter((each) => each.away);
      const takesAway = kind === 'kill' || kind === 'stop';
      if (this.over || replica.away || (takesAway && away.length === this.count - 1)) continue;
      this.made[kind] = (this.made[kind] ?? 0) + 1;
      const done = this[kind](replica);
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
    if (this.random() < 0.6) replica.relay.cut(1);
    await pass(this.stopMs);
    replica.service.child.kill('SIGCONT');
    replica.away = false;
  }

  async cut({ relay }) {
    relay.cut(between(this.random, 0.2, 1.2));
  }

  async slow({ relay }) {
    const forMs = between(this.random, 500, 3_000);
    relay.slow(between(this.random, 20, 200), forMs);
    await pass(forMs);
  }

  async halfClose({ relay }) {
    const forMs = between(this.random, 500, 5_000);
    relay.halfClose(between(this.random, 0.2, 0.8), forMs);
    await pass(forMs);
  }

  async end() {
    this.stopping = true;
    for (const { service, relay } of this.all) {
      await service.stop();
      relay.close();
    }
  }
}

/**
 * The service as its callers reach it: on SQLite one process, on PostgreSQL several behind a plain round-robin proxy,
 * so that consecutive calls may reach different ones.
 */
import { Client } from './client.mjs';
import { startRoundRobin } from './round-robin.mjs';
import { startService } from './service.mjs';

/** Processes that share a PostgreSQL in the proofs. */
export const REPLICAS = 3;

/** `count`: number of processes on PostgreSQL, if the proof starts some of its own beside them. */
export async function startDeployment(place, env = {}, { count = REPLICAS } = {}) {
  const start = () => startService(place, env);
  const members = [];
  for (let number = 0; number < (place.kind === 'postgres' ? count : 1); number++)
    members.push(await start());
  const proxy = members.length > 1 ? await startRoundRobin(() => members.map(({ url }) => url)) : undefined;
  return new Deployment(start, members, proxy);
}

class Deployment extends Client {
  constructor(start, members, proxy) {
    super();
    Object.assign(this, { start, members, proxy });
  }

  get url() {
    return this.proxy?.url ?? this.members[0].url;
  }

  /** The number of processes, in words. */
  get size() {
    return this.proxy ? `${this.members.length} processes behind a proxy` : '1 process';
  }

  /** Returns a live one, chosen by a number from 0 up to 1. */
  memberAt(share) {
    return this.members[Math.floor(share * this.members.length)];
  }

  /** Starts a process in place of one that has ended. */
  async replace(member) {
    const started = await this.start();
    this.members[this.members.indexOf(member)] = started;
    return started;
  }

  /** Shuts all of them down, and then starts as many. */
  async restart() {
    const before = [...this.members];
    for (const member of before) await member.stop();
    for (const member of before) await this.replace(member);
  }

  async stop() {
    for (const member of this.members) await member.stop();
    this.proxy?.close();
  }
}

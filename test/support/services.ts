import { spawnSync } from 'node:child_process';
import net from 'node:net';

/** Reached only if a host does not answer at all. */
const PATIENCE_MS = 10_000;

const required = process.env['REQUIRE_SERVICES'] === '1';

/** Address of the test PostgreSQL: a database whose user may create others. */
export const postgresAdminUrl =
  process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Returns true if something listens there; throws otherwise under REQUIRE_SERVICES=1. */
export async function reachable(name: string, host: string, port: number): Promise<boolean> {
  const open = await new Promise<boolean>((resolve) => {
    const socket = net.connect({ host, port, timeout: PATIENCE_MS });
    socket.once('connect', () => resolve((socket.destroy(), true)));
    socket.once('error', () => resolve(false));
    socket.once('timeout', () => resolve((socket.destroy(), false)));
  });
  if (!open && required)
    throw new Error(`${name} is not reachable at ${host}:${port} and REQUIRE_SERVICES=1`);
  if (!open) process.stderr.write(`SKIPPED: ${name} is not reachable at ${host}:${port}\n`);
  return open;
}

export async function postgresReachable(): Promise<boolean> {
  const { hostname, port } = new URL(postgresAdminUrl);
  return reachable('PostgreSQL', hostname, Number(port || 5432));
}

/** Returns true if a program runs when called for its version; throws otherwise under REQUIRE_SERVICES=1. */
export function installed(program: string): boolean {
  const there = spawnSync(program, ['--version']).error === undefined;
  if (!there && required) throw new Error(`${program} is not installed and REQUIRE_SERVICES=1`);
  if (!there) process.stderr.write(`SKIPPED: ${program} is not installed\n`);
  return there;
}

/** Address of the test Redis; tests let their keys expire after two minutes. */
export const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

export function redisReachable(): Promise<boolean> {
  const { hostname, port } = new URL(redisUrl);
  return reachable('Redis', hostname, Number(port || 6379));
}

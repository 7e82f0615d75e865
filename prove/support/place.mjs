/** Databases and directories of a proof, removed at its end. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { addressOf } from './relay.mjs';

/** Address of Redis; proofs let their keys expire after two minutes. */
export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

const adminUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

export async function makePlace(kind) {
  const dataDir = mkdtempSync(join(tmpdir(), 'proof-'));
  const removeDirectory = () => rmSync(dataDir, { recursive: true, force: true });
  if (kind === 'sqlite') {
    return {
      kind,
      dataDir,
      databaseUrl: `sqlite:${join(dataDir, 'service.sqlite')}`,
      remove: async () => removeDirectory(),
    };
  }
  const name = `proof_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const remove = async () => {
    await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    removeDirectory();
  };
  return { kind, dataDir, databaseUrl: url.toString(), remove };
}

async function administer(sql) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Returns the databases of a proof: SQLite always, PostgreSQL if it is reachable (under REQUIRE_SERVICES=1: must be).
 */
export async function databaseKinds() {
  if (process.env.PROVE_DATABASE) return [process.env.PROVE_DATABASE];
  if (await listens(adminUrl)) return ['sqlite', 'postgres'];
  if (process.env.REQUIRE_SERVICES === '1')
    throw new Error('PostgreSQL is not reachable and REQUIRE_SERVICES=1');
  console.log('SKIPPED: PostgreSQL is not reachable');
  return ['sqlite'];
}

/** Returns true if there is a Redis. */
export const redisIsThere = () => listens(redisUrl);

/** Returns true if something accepts connections at the server's address. */
function listens(serverUrl) {
  const { hostname: host, port } = addressOf(serverUrl);
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: Number(port), timeout: 1_000 });
    socket.once('connect', () => resolve((socket.destroy(), true)));
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve((socket.destroy(), false)));
  });
}

/** Reads rows of a place's database, beside any other user of it. */
export async function query(place, sql) {
  if (place.kind === 'postgres') {
    const client = new pg.Client({ connectionString: place.databaseUrl });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }
  const file = place.databaseUrl.replace(/^sqlite:/, '');
  const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
  const rows = await new Promise((resolve, reject) =>
    database.all(sql, (error, found) => (error ? reject(error) : resolve(found))),
  );
  await new Promise((resolve) => database.close(resolve));
  return rows;
}

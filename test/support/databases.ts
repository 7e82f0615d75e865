import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { postgresAdminUrl } from './services.js';

/** A database and a data directory of a test's own. */
export interface TestPlace {
  dataDir: string;
  databaseUrl: string;
  remove(): Promise<void>;
}

export type DatabaseKind = 'sqlite' | 'postgres';

/** The database that the e2e suite runs on: set by the test command, SQLite otherwise. */
export const suiteDatabase = (process.env['TEST_DATABASE'] ?? 'sqlite') as DatabaseKind;

export async function makePlace(kind: DatabaseKind = suiteDatabase): Promise<TestPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'service-test-'));
  const removeDirectory = () => rmSync(dataDir, { recursive: true, force: true });
  if (kind === 'sqlite') {
    return {
      dataDir,
      databaseUrl: `sqlite:${join(dataDir, 'service.sqlite')}`,
      remove: async () => removeDirectory(),
    };
  }
  const name = `service_test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(postgresAdminUrl);
  url.pathname = `/${name}`;
  return {
    dataDir,
    databaseUrl: url.toString(),
    remove: async () => {
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      removeDirectory();
    },
  };
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresAdminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

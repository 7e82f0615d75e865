import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { postgresAdminUrl } from './services.js';

/** The database and data directory of one test or suite. */
export interface TestPlace {
  dataDir: string;
  databaseUrl: string;
  remove(): Promise<void>;
}

export type DatabaseKind = 'sqlite' | 'postgres';

/** The database of the e2e suites: set by the test command, SQLite by default. */
export const suiteDatabase = (process.env['TEST_DATABASE'] ?? 'sqlite') as DatabaseKind;

/** The databases of suites that run on several: set by the test command, both by default. */
export const databases = (process.env['TEST_DATABASES'] ?? 'sqlite,postgres').split(',') as DatabaseKind[];

/** Migrated databases to copy, made once per run (`global-setup`). Without them a place starts empty. */
const templates: Record<DatabaseKind, string | undefined> = {
  sqlite: process.env['TEST_SQLITE_TEMPLATE'],
  postgres: process.env['TEST_POSTGRES_TEMPLATE'],
};

declare global {
  /** Names of the databases on the server that are not dropped yet, for `tidy-environment`. */
  var openDatabases: Set<string> | undefined;
}

/** Makes a place with an empty database, or a copy of the migrated template. */
export async function makePlace(
  kind: DatabaseKind = suiteDatabase,
  { migrated = false } = {},
): Promise<TestPlace> {
  const template = migrated ? templates[kind] : undefined;
  const dataDir = mkdtempSync(join(tmpdir(), 'service-test-'));
  const removeDirectory = () => rmSync(dataDir, { recursive: true, force: true });
  if (kind === 'sqlite') {
    const file = join(dataDir, 'service.sqlite');
    if (template !== undefined) copyFileSync(template, file);
    return {
      dataDir,
      databaseUrl: `sqlite:${file}`,
      remove: async () => removeDirectory(),
    };
  }
  const name = `service_test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`);
  const open = (globalThis.openDatabases ??= new Set());
  open.add(`database ${name}`);
  return {
    dataDir,
    databaseUrl: urlOf(name),
    remove: async () => {
      open.delete(`database ${name}`);
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      removeDirectory();
    },
  };
}

/** Returns the address of a database of this name on the test server. */
export function urlOf(name: string): string {
  const url = new URL(postgresAdminUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

export async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresAdminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { AppConfig } from '../../src/common/app-config.js';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connections.js';
import { importFlowise } from '../../src/moving/import-flowise.js';
import { KNOWN_TABLES } from '../../src/moving/source/known-tables.js';
import type { TestPlace } from './databases.js';

/** A database of the other product, which is not part of this repository; used if it lies beside it. */
export const FLOWISE_FOLDER = join(__dirname, '../../../shared/flowise-database');
export const hasFlowise = existsSync(join(FLOWISE_FOLDER, 'database.sqlite'));
if (!hasFlowise) process.stderr.write('SKIPPED: no Flowise database lies beside the repository\n');

const PROGRESS = /^[\w ]+: \d+ of \d+\n$/;

export interface MoveEnd {
  code: number;
  out: string;
  /** The errors, without the progress lines of a slow machine. */
  wrong: string;
}

/** Runs `npm run import:flowise` with these arguments, into the database and files of a place. */
export async function moveInto(
  place: Pick<TestPlace, 'dataDir' | 'databaseUrl'>,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<MoveEnd> {
  const config = AppConfig.from({ DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, ...env });
  let [out, wrong] = ['', ''];
  const code = await importFlowise(args, config, {
    out: (text) => void (out += text),
    error: (text) => void (wrong += PROGRESS.test(text) ? '' : text),
  });
  return { code, out, wrong };
}

export type Cell = string | number | null | Buffer;
export type FlowiseRows = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>;

const columnsOf = (table: string, rows: FlowiseRows[string]): string[] => [
  ...new Set([...(KNOWN_TABLES[table] ?? ['id']), ...rows.flatMap((row) => Object.keys(row))]),
];

const TYPES: Readonly<Record<string, string>> = {
  isPublic: 'boolean',
  deployed: 'boolean',
  createdDate: 'timestamp',
  updatedDate: 'timestamp',
};

/** Every table of the other product that the import reads, with the given rows. */
const withAll = (rows: FlowiseRows): [string, FlowiseRows[string]][] =>
  [...new Set([...Object.keys(KNOWN_TABLES), ...Object.keys(rows)])].map((table) => [
    table,
    rows[table] ?? [],
  ]);

/** Makes a small SQLite database in the other product's schema; `pragmas` run first. */
export async function makeFlowiseFile(
  file: string,
  rows: FlowiseRows,
  pragmas: string[] = [],
): Promise<void> {
  const connection = await SqliteConnection.open(file, pragmas);
  for (const [table, own] of withAll(rows)) {
    const columns = columnsOf(table, own);
    await connection.exec(
      `CREATE TABLE "${table}" (${columns.map((name) => `"${name}" varchar`).join(', ')}, PRIMARY KEY (id))`,
    );
    for (const row of own) {
      const names = Object.keys(row);
      await connection.run(
        `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row),
      );
    }
  }
  await connection.close();
}

/** Makes the same in PostgreSQL, with the types of its schema there. */
export async function makeFlowiseDatabase(url: string, rows: FlowiseRows): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [table, own] of withAll(rows)) {
    const columns = columnsOf(table, own);
    await client.query(
      `CREATE TABLE "${table}" (${columns.map((name) => `"${name}" ${name === 'id' ? 'uuid' : (TYPES[name] ?? 'text')}`).join(', ')}, PRIMARY KEY (id))`,
    );
    for (const row of own) {
      const names = Object.keys(row);
      await client.query(
        `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
        Object.values(row),
      );
    }
  }
  await client.end();
}

/** Encrypts as the other product does: CryptoJS's AES with a passphrase. */
export function flowiseEncrypted(value: unknown, passphrase: string): string {
  const salt = randomBytes(8);
  let [made, last] = [Buffer.alloc(0), Buffer.alloc(0)];
  while (made.length < 48) {
    last = createHash('md5')
      .update(Buffer.concat([last, Buffer.from(passphrase), salt]))
      .digest();
    made = Buffer.concat([made, last]);
  }
  const cipher = createCipheriv('aes-256-cbc', made.subarray(0, 32), made.subarray(32));
  return Buffer.concat([
    Buffer.from('Salted__'),
    salt,
    cipher.update(JSON.stringify(value)),
    cipher.final(),
  ]).toString('base64');
}

let flows = 0;

/** A row of a flow that echoes its question; its id is a UUID that counts up. */
export function flowiseFlow(more: Record<string, Cell> = {}, nodes: object[] = []): Record<string, Cell> {
  const start = { id: 'startAgentflow_0', data: { name: 'startAgentflow', label: 'Start', inputs: {} } };
  const reply = {
    id: 'directReplyAgentflow_0',
    data: {
      name: 'directReplyAgentflow',
      label: 'Reply',
      inputs: { directReplyMessage: '<p>You said: {{ question }}</p>' },
    },
  };
  return {
    id: `00000000-0000-4000-8000-${String(++flows).padStart(12, '0')}`,
    name: `Flow ${flows}`,
    type: 'AGENTFLOW',
    flowData: JSON.stringify({
      nodes: [start, reply, ...nodes],
      edges: [{ source: 'startAgentflow_0', target: 'directReplyAgentflow_0' }],
    }),
    createdDate: '2025-01-02 03:04:05',
    updatedDate: '2025-02-03 04:05:06.789',
    ...more,
  };
}

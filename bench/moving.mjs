/** `npm run import:flowise` of a large installation, from a file and from PostgreSQL: duration and peak memory. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { makePlace } from '../prove/support/place.mjs';
import { dist } from '../prove/support/service.mjs';
import { figure } from './support/measure.mjs';

const FLOWS = Number(process.argv[2] ?? 1_000);
const MESSAGES = Number(process.argv[3] ?? 100_000);
const A_CHAT = 10;
const LOOK_MS = 50;

const node = (id, name, inputs) => ({
  id,
  type: 'agentFlow',
  position: { x: 0, y: 0 },
  data: {
    id,
    name,
    label: name,
    version: 1,
    inputs,
    inputParams: Array(20).fill({ label: 'A label', name: 'n' }),
  },
});
const GRAPH = JSON.stringify({
  nodes: [
    node('startAgentflow_0', 'startAgentflow', { startInputType: 'chatInput' }),
    node('llmAgentflow_0', 'llmAgentflow', {
      llmModel: 'chatOpenAI',
      llmMessages: [{ role: 'system', content: '<p>Be brief.</p>'.repeat(100) }],
      llmModelConfig: { modelName: 'a-model', basepath: 'http://127.0.0.1:9/v1' },
      llmEnableMemory: true,
      llmMemoryType: 'allMessages',
    }),
    node('directReplyAgentflow_0', 'directReplyAgentflow', {
      directReplyMessage: '<p>{{ llmAgentflow_0 }}</p>',
    }),
  ],
  edges: [
    { source: 'startAgentflow_0', target: 'llmAgentflow_0' },
    { source: 'llmAgentflow_0', target: 'directReplyAgentflow_0' },
  ],
});
const TABLES = `CREATE TABLE chat_flow (id varchar(36) PRIMARY KEY, name text, "flowData" text, type text, "isPublic" int, "createdDate" text, "updatedDate" text);
  CREATE TABLE chat_message (id varchar(36) PRIMARY KEY, role text, chatflowid varchar(36), content text, "fileUploads" text, "createdDate" text, "chatId" text, "sessionId" text, "executionId" text);`;

/** The same rows on both databases, with the functions of each. `hex` formats a number as twelve digits. */
const fill = (numbers, hex, second) => `
  INSERT INTO chat_flow SELECT '00000000-0000-4000-8000-' || ${hex('n')}, 'Flow ' || n, '${GRAPH.replaceAll("'", "''")}',
    'AGENTFLOW', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' FROM (${numbers(FLOWS)}) f;
  INSERT INTO chat_message SELECT '11111111-0000-4000-8000-' || ${hex('n')},
    CASE n % 2 WHEN 0 THEN 'userMessage' ELSE 'apiMessage' END,
    '00000000-0000-4000-8000-' || ${hex(`(n / ${A_CHAT}) % ${FLOWS}`)},
    'Message ' || n || ': ${'the mileage, the plates and the photographs look fine. '.repeat(8)}', NULL, ${second('n')},
    'chat ' || n / ${A_CHAT}, 'chat ' || n / ${A_CHAT}, '22222222-0000-4000-8000-' || ${hex('n / 2')} FROM (${numbers(MESSAGES)}) m;`;

async function sqliteSource(folder) {
  const file = join(folder, 'there.sqlite');
  const database = new sqlite3.Database(file);
  const numbers = (most) =>
    `WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n + 1 < ${most}) SELECT n FROM c`;
  const sql = fill(
    numbers,
    (n) => `printf('%012x', ${n})`,
    (n) => `strftime('%Y-%m-%d %H:%M:%S', 1767225600 + ${n}, 'unixepoch') || '.123'`,
  );
  await new Promise((resolve, reject) =>
    database.exec(`PRAGMA synchronous = OFF; BEGIN; ${TABLES} ${sql} COMMIT;`, (error) =>
      error ? reject(error) : resolve(),
    ),
  );
  await new Promise((resolve) => database.close(resolve));
  return file;
}

async function postgresSource(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const numbers = (most) => `SELECT n FROM generate_series(0, ${most - 1}) AS s(n)`;
  await client.query(TABLES.replaceAll('"createdDate" text', '"createdDate" timestamp'));
  const sql = fill(
    numbers,
    (n) => `lpad(to_hex(${n}), 12, '0')`,
    (n) => `timestamp '2026-01-01' + ${n} * interval '1.000001 s'`,
  );
  await client.query(sql.replaceAll("'2026-01-01 00:00:00'", "timestamp '2026-01-01'"));
  await client.end();
  return url;
}

/** Runs the command; returns its exit, its duration, and its peak memory. */
async function moved(place, database) {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [join(dist, 'moving/import-flowise.command.js'), '--database', database],
    {
      cwd: place.dataDir,
      env: { PATH: process.env.PATH, DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let out = '';
  child.stdout.on('data', (text) => void (out += text));
  let peakMb = Number.NaN;
  const look = setInterval(() => (peakMb = peakOf(child.pid) ?? peakMb), LOOK_MS);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`the move ended with ${code}\n${out}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMb, out };
}

/** In MB, if /proc is available. */
function peakOf(pid) {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

async function measure(kind) {
  const [place, there] = [await makePlace('sqlite'), await makePlace(kind)];
  try {
    const database =
      kind === 'sqlite' ? await sqliteSource(there.dataDir) : await postgresSource(there.databaseUrl);
    const first = await moved(place, database);
    const came =
      new RegExp(`^messages +${MESSAGES} `, 'm').test(first.out) &&
      new RegExp(`^flows +${FLOWS} `, 'm').test(first.out);
    if (!came) throw new Error(`not everything came\n${first.out}`);
    const again = await moved(place, database);
    console.log(`\n# ${FLOWS} flows and ${MESSAGES} messages, from ${kind}`);
    figure('time', first.seconds, ' s', ['<=', 60]);
    figure('peak memory of the command', first.peakMb, ' MB', ['<=', 300]);
    figure('time when all of it is here', again.seconds, ' s', ['<=', 60]);
  } finally {
    await place.remove();
    await there.remove();
  }
}

await measure('sqlite');
const reachable = await makePlace('postgres').then(
  (place) => place.remove().then(() => true),
  () => false,
);
if (reachable) await measure('postgres');
else console.log('\nSKIPPED: PostgreSQL is not reachable');

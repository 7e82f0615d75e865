/** The promises that must hold in every state of the disk, given the answers that were sent before it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../support/in-process.mjs';
import { STORE } from './layout.mjs';

const TABLES = {
  photographs:
    'SELECT id, sha256, original_key, rendition_key, rendition_sha256, claim_id, execution_id FROM photographs',
  reports: 'SELECT id, claim_id, storage_key, manifest_key, sha256, photographs FROM reports',
  executions: 'SELECT id, status FROM executions',
  entries: 'SELECT kind, amount, reference, execution_id FROM credit_entries',
  answers: 'SELECT idempotency_key, http_status FROM idempotent_answers',
  assets: 'SELECT id, storage_key FROM assets',
  files: 'SELECT id, blob_key FROM chat_files',
  credentials: 'SELECT id FROM credentials',
  apiKeys: 'SELECT id FROM api_keys',
  flows: 'SELECT id FROM flows',
};

const byId = (rows) => new Map(rows.map((row) => [row.id, row]));
const group = (rows, keyOf) => Map.groupBy?.(rows, keyOf) ?? groupBy(rows, keyOf);
function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

export class Promises {
  /** SHA-256 by the key of a content: the same bytes are hashed once for all states. */
  hashes = new Map();

  /** `wholeFiles`: path in the store → SHA-256 of the written content. */
  constructor(wholeFiles) {
    this.wholeFiles = wholeFiles;
  }

  /**
   * Returns the faults of a state, each `[promise, what]`: of the assembled `files`, with the answers `acknowledged`
   * until then.
   */
  async faults(context, files, dataDir, acknowledged) {
    const rooms = await roomsOf(context);
    const rows = {};
    for (const [name, sql] of Object.entries(TABLES)) rows[name] = await rooms.reader.all(sql);
    const state = { rows, files, dataDir, rooms, faults: [] };
    this.checkFiles(state);
    checkBooks(state);
    await checkLedger(state);
    const known = knownOf(rows);
    for (const fact of acknowledged) await kept[fact.kind](state, known, fact);
    checkSecrets(state, acknowledged);
    return state.faults;
  }

  /** A row names only complete files, acknowledged or not: bytes are written first, rows second. */
  checkFiles(state) {
    const { rows } = state;
    for (const row of rows.photographs) {
      this.checkFile(state, row.original_key, row.sha256);
      if (row.rendition_key) this.checkFile(state, row.rendition_key, row.rendition_sha256);
    }
    for (const row of rows.reports) {
      this.checkFile(state, row.storage_key, row.sha256);
      this.checkFile(state, row.manifest_key);
    }
    for (const row of rows.assets) this.checkFile(state, row.storage_key);
    for (const row of rows.files) this.checkFile(state, row.blob_key);
  }

  checkFile({ files, faults }, key, sha256 = this.wholeFiles.get(`${STORE}${key}`)) {
    const file = files.get(`${STORE}${key}`);
    if (!file) return faults.push(['files', `${key} is missing`]);
    let hash = this.hashes.get(file.key);
    if (hash === undefined)
      this.hashes.set(file.key, (hash = createHash('sha256').update(file.content()).digest('hex')));
    if (hash !== sha256) faults.push(['files', `${key} is not whole`]);
  }
}

async function roomsOf(context) {
  const of = async (file, name) => context.get((await load(file))[name], { strict: false });
  return {
    reader: await of('database/database-reader.js', 'DatabaseReader'),
    links: await of('pdf/vault/report-links.js', 'ReportLinks'),
    credentials: await of('flows/credentials/credentials.js', 'Credentials'),
    publicKey: (await load('pdf/seal/seal-line.js')).publicKeyOf(
      (await of('common/secrets/secrets.js', 'Secrets')).sealKey,
    ),
    auditLedger: (await load('auth/credit/ledger-audit.js')).auditLedger,
  };
}

/** No run is without a process, and no photograph is in two reports or in an orphaned claim. */
function checkBooks({ rows, faults }) {
  const running = rows.executions.filter(({ status }) => status === 'running').length;
  if (running > 0) faults.push(['records', `${running} left running`]);
  const pending = rows.photographs.filter(({ claim_id }) => claim_id === null).length;
  const printed = rows.reports.reduce((sum, { photographs }) => sum + photographs, 0);
  if (printed + pending !== rows.photographs.length)
    faults.push(['claims', `${printed} printed and ${pending} pending of ${rows.photographs.length}`]);
}

async function checkLedger({ rooms, faults }) {
  const { drift, findings } = await rooms.auditLedger(rooms.reader, { recordsKept: true });
  if (drift > 0)
    faults.push(['ledger', `drift ${drift}: ${findings.map(({ promise }) => promise).join('; ')}`]);
}

const knownOf = (rows) => ({
  photographs: byId(rows.photographs),
  taken: group(rows.photographs, (row) => row.execution_id),
  claimed: group(rows.photographs, (row) => row.claim_id),
  reports: byId(rows.reports),
  executions: byId(rows.executions),
  charges: new Set(rows.entries.filter((row) => row.kind === 'charge').map((row) => row.execution_id)),
  payments: new Map(
    rows.entries.filter((row) => row.kind === 'top_up').map((row) => [row.reference, row.amount]),
  ),
  answers: new Map(rows.answers.map((row) => [row.idempotency_key, row.http_status])),
  assets: byId(rows.assets),
  credentials: byId(rows.credentials),
  apiKeys: byId(rows.apiKeys),
  flows: byId(rows.flows),
});

/** The promise that each kind of answer makes. */
const kept = {
  prediction(state, known, fact) {
    requireRun(state, known, fact);
    if (known.answers.get(fact.key) !== 200) lost(state, fact, 'its answer is not kept for a retry');
  },
  message(state, known, fact) {
    requireRun(state, known, fact);
    const taken = (known.taken.get(fact.executionId) ?? []).map(({ sha256 }) => sha256);
    for (const sha256 of fact.photographs)
      if (!taken.includes(sha256)) lost(state, fact, 'its photograph is missing');
  },
  capture(state, known, fact) {
    fact.ids.forEach((id, index) => {
      if (known.photographs.get(id)?.sha256 !== fact.photographs[index])
        lost(state, fact, 'a photograph is missing');
    });
  },
  report(state, known, fact) {
    const row = known.reports.get(fact.id);
    if (row?.sha256 !== fact.sha256) return lost(state, fact, 'it is missing');
    if (known.claimed.get(row.claim_id)?.length !== fact.photographs)
      lost(state, fact, 'its photographs are not its own');
    const query = new URL(fact.url).searchParams;
    const proof = { expires: query.get('expires'), signature: query.get('signature') };
    if (!state.rooms.links.opens(fact.id, proof))
      state.faults.push(['secrets', 'the link of a report opens it no more']);
  },
  topUp(state, known, fact) {
    if (known.payments.get(fact.reference) !== fact.amount) lost(state, fact, 'it is missing');
  },
  async credential(state, known, fact) {
    if (!known.credentials.has(fact.id)) return lost(state, fact, 'it is missing');
    const opened = await state.rooms.credentials.apiKey(fact.id).catch(() => undefined);
    if (opened !== fact.secret) state.faults.push(['secrets', 'a credential cannot be opened']);
  },
  apiKey: (state, known, fact) => known.apiKeys.has(fact.id) || lost(state, fact, 'it is missing'),
  asset: (state, known, fact) => known.assets.has(fact.id) || lost(state, fact, 'it is missing'),
  flow: (state, known, fact) => known.flows.has(fact.id) || lost(state, fact, 'it is missing'),
};

function requireRun(state, known, fact) {
  if (known.executions.get(fact.executionId)?.status !== 'succeeded')
    lost(state, fact, 'its record is missing');
  if (!known.charges.has(fact.executionId)) lost(state, fact, 'its charge is missing');
}

const lost = (state, fact, what) => state.faults.push(['acknowledged', `${fact.kind}: ${what}`]);

/** The key that opened an admin call, and the one that sealed a report, never change. */
function checkSecrets(state, acknowledged) {
  const adminKey = acknowledged.find((fact) => fact.adminKey)?.adminKey;
  if (adminKey && textOf(join(state.dataDir, 'admin-key')) !== adminKey)
    state.faults.push(['secrets', 'the admin key is another']);
  const report = acknowledged.find((fact) => fact.kind === 'report');
  if (!report) return;
  const manifest = state.rows.reports.find(({ id }) => id === report.id)?.manifest_key;
  const sealed = manifest && state.files.get(`${STORE}${manifest}`);
  if (sealed && !sealed.content().includes(`"publicKey":"${state.rooms.publicKey}"`))
    state.faults.push(['secrets', 'the seal is another']);
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

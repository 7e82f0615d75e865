/** Reads the data of a service: files of photographs, the evidence of its reports, and its ledger. */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from './place.mjs';
import { dist } from './service.mjs';

/**
 * Compares the sent items with `counts`, the occurrences of each SHA-256: which are missing, and which occur more than
 * once.
 */
export function tally(sent, counts) {
  const times = [...sent].map((sha256) => counts[sha256] ?? 0);
  return { lost: times.filter((n) => n === 0).length, twice: times.filter((n) => n > 1).length };
}

/** Counts the unreadable files of these photographs. `sent`: the SHA-256 that the original of an id must have. */
export async function unreadableFiles(service, ids, sent = new Map()) {
  let unreadable = 0;
  for (const id of ids) {
    for (const form of ['original', 'print']) {
      const { status, bytes } = await service.admin('GET', `/api/v1/inspection/photographs/${id}/${form}`);
      const isOther = form === 'original' && sent.has(id) && sha256Of(bytes) !== sent.get(id);
      if (status !== 200 || bytes.length === 0 || isOther) unreadable++;
    }
  }
  return unreadable;
}

const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex');

/**
 * Returns the SHA-256 of each photograph in each report, withdrawn ones too: one that is in two reports occurs twice.
 */
export async function photographsOfReports(place, service) {
  const printed = [];
  for (const { id } of await query(place, 'SELECT id FROM reports')) {
    const { json } = await service.admin('GET', `/api/v1/pdf/reports/${id}/manifest`);
    const { photographs, withdrawn = [] } = json.signed.manifest;
    printed.push(...[...photographs, ...withdrawn].map(({ original }) => original.sha256));
  }
  return printed;
}

/** The findings of `npm run ledger:audit`: `{ drift, said }`; a drift of '0' is none. */
export function auditLedger(place) {
  const command = join(dist, 'auth', 'credit', 'ledger-audit.command.js');
  const { stdout, stderr } = spawnSync(process.execPath, [command], { env: envOf(place), encoding: 'utf8' });
  return { drift: /drift (\d+)/.exec(stdout)?.[1], said: stdout + stderr };
}

/**
 * The findings of `npm run storage:audit`: `{ missing, said }`; missing are files that a row names. Undefined if it
 * could not run. The bucket may be a server of this process, which continues meanwhile.
 */
export async function auditStorage(place) {
  const command = join(dist, 'console', 'storage-audit', 'storage-audit.command.js');
  const audit = promisify(execFile)(process.execPath, [command], { env: envOf(place) });
  // Its output contains more than its exit code.
  const { stdout, stderr } = await audit.catch((error) => error);
  const missing = [...stdout.matchAll(/missing (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
  return { missing: stdout === '' ? undefined : missing, said: stdout + stderr };
}

const envOf = ({ databaseUrl, dataDir, storageEnv }) => ({
  ...{ PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
  ...storageEnv,
});

/** Reads back what a service keeps: files of photographs, the evidence of its reports, and its ledger. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { query } from './place.mjs';
import { dist } from './service.mjs';

/** `counts`: how often each SHA-256 is there; what of the sent is not, and what is more than once. */
export function tally(sent, counts) {
  const times = [...sent].map((sha256) => counts[sha256] ?? 0);
  return { lost: times.filter((n) => n === 0).length, twice: times.filter((n) => n > 1).length };
}

/** How many files of these photographs cannot be read. */
export async function unreadableFiles(service, ids) {
  let unreadable = 0;
  for (const id of ids) {
    for (const form of ['original', 'print']) {
      const answer = await service.admin('GET', `/api/v1/inspection/photographs/${id}/${form}`);
      if (answer.status !== 200 || answer.bytes.length === 0) unreadable++;
    }
  }
  return unreadable;
}

/** The SHA-256 of each photograph in each report, withdrawn ones too: one that is in two reports stands there twice. */
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
  const audit = spawnSync(process.execPath, [join(dist, 'auth', 'credit', 'ledger-audit.command.js')], {
    env: { PATH: process.env.PATH, DATABASE_URL: place.databaseUrl, DATA_DIR: place.dataDir },
    encoding: 'utf8',
  });
  return { drift: /drift (\d+)/.exec(audit.stdout)?.[1], said: audit.stdout + audit.stderr };
}

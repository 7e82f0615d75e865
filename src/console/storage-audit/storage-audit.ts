import type { SqlReader } from '../../database/tx.js';
import type { BlobStore, FoundBlob } from '../../storage/blob-store.js';

/** The audit of one kind of blobs. */
export interface KindAudit {
  kind: string;
  blobs: number;
  bytes: number;
  /** Old blobs that no row names, left by a crash before their row was written. */
  unnamed: FoundBlob[];
  /** Keys that a row names, without a blob. */
  missing: string[];
}

/** Every column that names blobs, with its table and that table's key unless it is `id`. */
const COLUMNS: readonly (readonly [table: string, column: string, key?: string])[] = [
  ['photographs', 'original_key'],
  ['photographs', 'rendition_key'],
  ['turned_prints', 'storage_key'],
  ['chat_files', 'blob_key'],
  ['run_files', 'blob_key', 'blob_key'],
  ['case_blobs', 'blob_key', 'blob_key'],
  ['async_runs', 'request_key'],
  ['run_stops', 'request_key'],
  ['reports', 'storage_key'],
  ['reports', 'manifest_key'],
  ['report_mails', 'storage_key'],
  ['previews', 'storage_key'],
  ['pack_parts', 'storage_key'],
  ['assets', 'storage_key'],
  ['store_documents', 'source_key'],
  ['store_documents', 'text_key'],
];

/** Kinds of blobs that those columns name. Others belong to other programs. */
const KINDS: ReadonlySet<string> = new Set([
  ...[
    'photographs',
    'renditions',
    'uploads',
    'attachments',
    'reports',
    'previews',
    'packs',
    'manifests',
    'logos',
    'runs',
    'inputs',
    'cases',
    'documents',
  ],
]);

const PAGE = 5_000;

/** Blobs are written before their rows: a younger one may still get its row. */
const YOUNG_MS = 24 * 3_600_000;

/** Age limit for the call of a run, whose row is written at once or whose blob is deleted. */
const YOUNG_RUN_MS = 15 * 60_000;

const RUNS = 'runs';

const youngMs = (kind: string): number => (kind === RUNS ? YOUNG_RUN_MS : YOUNG_MS);

/**
 * Compares the store with the rows that name its blobs, while the service runs or not. `now` is in epoch milliseconds.
 * Reads blobs before rows, so that anything recorded meanwhile has its row.
 */
export async function auditStorage(store: BlobStore, reader: SqlReader, now: number): Promise<KindAudit[]> {
  const audits = new Map<string, KindAudit>();
  const found: FoundBlob[] = [];
  for await (const blob of store.blobs()) found.push(blob);
  const unseen = await namedKeys(reader);
  for (const blob of found) {
    const audit = auditOf(audits, blob.key);
    audit.blobs += 1;
    audit.bytes += blob.bytes;
    if (!unseen.delete(blob.key) && KINDS.has(audit.kind) && now - blob.changedAt > youngMs(audit.kind))
      audit.unnamed.push(blob);
  }
  const missing: string[] = [];
  // A blob may have been written after its directory was read.
  for (const key of unseen) if (!(await store.exists(key))) missing.push(key);
  // Meanwhile its row may have been deleted, and the blob after it.
  const named = missing.length > 0 ? await namedKeys(reader) : unseen;
  for (const key of missing) if (named.has(key)) auditOf(audits, key).missing.push(key);
  return [...audits.values()].sort((left, right) => (left.kind < right.kind ? -1 : 1));
}

/**
 * Returns why nothing may be moved after this audit; undefined if it may. If blobs of rows are missing, or most blobs
 * have no row, the database may be another one or an older copy. Calls of runs do not count: their rows stop naming them
 * when the runs end.
 */
export function doubtOf(audits: readonly KindAudit[]): string | undefined {
  const sum = (count: (audit: KindAudit) => number) =>
    audits.filter(({ kind }) => kind !== RUNS).reduce((total, audit) => total + count(audit), 0);
  const missing = audits.reduce((total, audit) => total + audit.missing.length, 0);
  const unnamed = sum((audit) => audit.unnamed.length);
  if (missing > 0)
    return missing === 1
      ? 'a file that a row names is missing'
      : `${missing} files that rows name are missing`;
  if (unnamed * 2 > sum((audit) => audit.blobs)) return 'most files are named by no row';
  return undefined;
}

/** Deletes the calls of runs that no row names, which nothing can run any more. Returns the deleted bytes. */
export async function removeRuns(store: BlobStore, audits: readonly KindAudit[]): Promise<number> {
  let removed = 0;
  for (const { key, bytes } of audits.flatMap(({ kind, unnamed }) => (kind === RUNS ? unnamed : []))) {
    await store.remove(key);
    removed += bytes;
  }
  return removed;
}

/** Formats the audit for a terminal. */
export const storageReport = (audits: readonly KindAudit[]): string =>
  audits.length === 0 ? '  The store is empty, and no row names a file.\n' : audits.map(linesOf).join('');

function linesOf({ kind, blobs, bytes, unnamed, missing }: KindAudit): string {
  const left = unnamed.reduce((sum, blob) => sum + blob.bytes, 0);
  const line = `  ${kind}: ${blobs} (${megabytes(bytes)}), named by no row ${unnamed.length} (${megabytes(left)}), missing ${missing.length}\n`;
  return (
    line +
    missing
      .slice(0, 5)
      .map((key) => `    missing: ${key}\n`)
      .join('')
  );
}

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Returns the audit of the kind of a key, which is its first part. */
function auditOf(audits: Map<string, KindAudit>, key: string): KindAudit {
  const kind = key.slice(0, key.indexOf('/'));
  const audit = audits.get(kind) ?? { kind, blobs: 0, bytes: 0, unnamed: [], missing: [] };
  audits.set(kind, audit);
  return audit;
}

async function namedKeys(reader: SqlReader): Promise<Set<string>> {
  const named = new Set<string>();
  for (const [table, column, id = 'id'] of COLUMNS) {
    let after = '';
    for (let count = PAGE; count === PAGE;) {
      const rows = await reader.all<{ id: string; key: string | null }>(
        `SELECT ${id} AS id, ${column} AS key FROM ${table} WHERE ${id} > ? ORDER BY ${id} LIMIT ${PAGE}`,
        [after],
      );
      for (const { key } of rows) if (key !== null) named.add(key);
      after = rows.at(-1)?.id ?? after;
      count = rows.length;
    }
  }
  return named;
}

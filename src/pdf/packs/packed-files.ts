import type { DatabaseReader } from '../../database/database-reader.js';
import { PICTURE_TYPES, type PictureFormat } from '../../inspection/pictures/picture-format.js';
import { fileWords } from '../../inspection/report/report-filename.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { type EvidenceManifest, MANIFEST_NAME, type ManifestPhotograph } from '../seal/evidence-manifest.js';
import type { StoredReport } from '../vault/report-vault.js';
import type { PackedFile } from './plan-parts.js';

/** A file of a pack with its storage key. */
export interface StoredFile extends PackedFile {
  readonly key: string;
}

interface OriginalRow {
  sha256: string;
  original_key: string;
  format: PictureFormat;
}

const BATCH = 400;
const LONGEST_AREA = 60;

/**
 * Returns the report, its list of evidence and the originals that the list names. `missing` are the names of originals whose
 * files are missing or damaged.
 */
export async function findPackFiles(
  report: StoredReport,
  { manifest, list }: { manifest: EvidenceManifest; list: Omit<PackedFile, 'name'> },
  { reader, store }: { reader: DatabaseReader; store: BlobStore },
): Promise<{ files: StoredFile[]; missing: string[] }> {
  const { key, filename, bytes, sha256 } = report;
  const named = [
    ...namesOf(manifest.photographs, 'photographs'),
    ...namesOf(manifest.withdrawn ?? [], 'withdrawn'),
  ];
  const hashes = [...new Set(named.map((file) => file.sha256))];
  const originals = await soundOriginals({ reader, store }, report.flowIds, hashes);
  const found: StoredFile[] = [];
  const missing: string[] = [];
  for (const { name, ...original } of named) {
    const row = originals.get(original.sha256);
    if (row)
      found.push({ ...original, name: name + PICTURE_TYPES[row.format].extension, key: row.original_key });
    else missing.push(name);
  }
  return {
    files: [
      { name: filename, bytes, sha256, key },
      { name: MANIFEST_NAME, ...list, key: report.manifestKey },
      ...found,
    ],
    missing,
  };
}

type Listed = Pick<ManifestPhotograph, 'area' | 'original'> &
  Partial<Pick<ManifestPhotograph, 'number' | 'source'>>;

/** Names files by their numbers in the report; the sides of a comparison are numbered separately. */
function namesOf(photographs: readonly Listed[], folder: string): PackedFile[] {
  const largest = photographs.reduce((most, { number = 0 }) => Math.max(most, number), photographs.length);
  const digits = String(largest).length;
  return photographs.map(({ number, area, source, original }, place) => {
    const words = fileWords(area.slice(0, LONGEST_AREA).toWellFormed());
    const side = source === undefined ? '' : `${fileWords(source.side)} `;
    const name = `${folder}/${side}${String(number ?? place + 1).padStart(digits, '0')} ${words}`.trimEnd();
    return { name, ...original };
  });
}

/** Finds undamaged originals of these flows by their hashes. Several photographs may have the same bytes. */
async function soundOriginals(
  { reader, store }: { reader: DatabaseReader; store: BlobStore },
  flowIds: readonly string[],
  hashes: readonly string[],
): Promise<Map<string, OriginalRow>> {
  const originals = new Map<string, OriginalRow>();
  const marks = (values: readonly string[]) => values.map(() => '?').join(', ');
  for (let at = 0; at < hashes.length; at += BATCH) {
    const some = hashes.slice(at, at + BATCH);
    const rows = await reader.all<OriginalRow>(
      `SELECT sha256, original_key, format FROM photographs WHERE flow_id IN (${marks(flowIds)}) AND sha256 IN (${marks(some)})`,
      [...flowIds, ...some],
    );
    for (const row of rows) {
      const { sha256, original_key: key } = row;
      if (!originals.has(sha256) && (await store.isSound({ key, sha256 }))) originals.set(sha256, row);
    }
  }
  return originals;
}

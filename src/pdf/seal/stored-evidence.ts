import type { BlobStore } from '../../storage/blob-store.js';
import { StoredFileDamaged } from '../../storage/sound-file.js';
import { type EvidenceManifest, manifestIn } from './evidence-manifest.js';

/** The file beside a report, and the list of evidence in it. */
export interface StoredEvidence {
  readonly bytes: Buffer;
  readonly manifest: EvidenceManifest;
}

/** Reads the list of evidence of a report. Throws `StoredFileDamaged` if it is missing or its signature does not match. */
export async function readEvidence(store: BlobStore, key: string): Promise<StoredEvidence> {
  const bytes = (await store.exists(key)) ? await store.read(key) : undefined;
  const manifest = bytes && manifestIn(bytes.toString());
  if (!manifest) throw new StoredFileDamaged(REMEDY);
  return { bytes, manifest };
}

/** Resolves to true if `readEvidence` reads the list. */
export const isSoundEvidence = (store: BlobStore, key: string): Promise<boolean> =>
  readEvidence(store, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof StoredFileDamaged) return false;
      throw error;
    },
  );

const REMEDY = 'An admin can redraw the report: POST /api/v1/pdf/reports/:id/redraw.';

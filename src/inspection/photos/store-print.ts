import type { BlobStore, StoredBlob } from '../../storage/blob-store.js';
import type { Picture } from './picture.js';

/** A picture, and its print in the store; without one if it is not `drawable`. */
export interface StoredPrint {
  readonly picture: Picture;
  readonly rendition?: StoredBlob;
}

/** Stores the print that `make` writes to the path it is given. Throws what `make` throws, and stores nothing then. */
export async function storePrint(
  store: BlobStore,
  make: (path: string) => Promise<Picture>,
): Promise<StoredPrint> {
  const draft = await store.draft();
  try {
    const picture = await make(draft.path);
    if (picture.drawable)
      return { picture, rendition: await store.keep(draft, 'renditions', { extension: '.jpg' }) };
    await store.discard(draft);
    return { picture };
  } catch (error) {
    await store.discard(draft);
    throw error;
  }
}

import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { syncFolder } from '../common/lasting-folder.js';
import {
  BlobStore,
  checkedKey,
  type Draft,
  type FoundBlob,
  fullOr,
  isBlobKey,
  type Keeping,
  type StoredBlob,
} from './blob-store.js';
import { isMissing, measure, syncFile, writeSynced } from './synced-files.js';

/** The folder of blobs that no row names. */
const SET_ASIDE = 'set-aside';

/**
 * Stores bytes in a directory. A blob is written beside the store, synced, and renamed into place; its directory and those
 * above it are synced. Once `put` or `keep` resolves, the bytes survive a power cut.
 */
export class DiskStore extends BlobStore {
  /** Needed because `mkdir` never returns on some file systems, such as /proc. */
  readonly probeMs = 5_000;

  async put(kind: string, content: Uint8Array | Readable, extension = ''): Promise<StoredBlob> {
    const draft = await this.draft();
    try {
      const measured = await writeSynced(draft.path, content);
      return { key: await this.moveIn(draft, kind, extension), ...measured };
    } catch (error) {
      await this.discard(draft);
      throw fullOr(error);
    }
  }

  async keep(draft: Draft, kind: string, { extension = '', measured }: Keeping = {}): Promise<StoredBlob> {
    const { bytes, sha256 } = measured ?? (await measure(draft.path));
    await syncFile(draft.path);
    return { key: await this.moveIn(draft, kind, extension), bytes, sha256 };
  }

  read(key: string): Promise<Buffer> {
    return readFile(this.pathOf(key));
  }

  stream(key: string, range?: { start: number; end: number }): Readable {
    return createReadStream(this.pathOf(key), range);
  }

  async size(key: string): Promise<number | undefined> {
    try {
      return (await stat(this.pathOf(key))).size;
    } catch (error) {
      // Any other error says that the disk is out of reach, not that the blob is gone.
      if (isMissing(error as NodeJS.ErrnoException)) return undefined;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  get setAsidePath(): string {
    return join(this.root, SET_ASIDE);
  }

  async setAside(key: string): Promise<void> {
    await this.ensure(this.setAsidePath);
    await rename(this.pathOf(key), join(this.setAsidePath, key.replaceAll('/', '-')));
  }

  withFiles<Value>(
    _keys: Iterable<string>,
    use: (pathOf: (key: string) => string) => Promise<Value>,
  ): Promise<Value> {
    return use((key) => this.pathOf(key));
  }

  /** Returns the path of a blob. */
  pathOf(key: string): string {
    return join(this.root, checkedKey(key));
  }

  probe(): Promise<void> {
    return this.probeFolder();
  }

  refusal(error: unknown): string {
    return this.folderRefusal(error);
  }

  async *blobs(): AsyncGenerator<FoundBlob> {
    for (const kind of await directoriesIn(this.root)) {
      if (kind !== 'drafts' && kind !== SET_ASIDE) yield* this.blobsOf(kind);
    }
  }

  async *blobsOf(kind: string): AsyncGenerator<FoundBlob> {
    for (const shard of await directoriesIn(join(this.root, kind))) {
      for (const name of await readdir(join(this.root, kind, shard))) {
        const key = `${kind}/${shard}/${name}`;
        const found = isBlobKey(key) ? await lstat(this.pathOf(key)).catch(() => undefined) : undefined;
        if (found?.isFile()) yield { key, bytes: found.size, changedAt: found.mtimeMs };
      }
    }
  }

  private async moveIn(draft: Draft, kind: string, extension: string): Promise<string> {
    const key = this.newKey(kind, extension);
    const target = this.pathOf(key);
    await this.ensure(dirname(target));
    await rename(draft.path, target);
    await syncFolder(dirname(target));
    return key;
  }
}

/** Returns none if the store has not been written to yet. */
async function directoriesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { makeLastingFolder, syncFolder } from '../common/lasting-folder.js';
import { Overloaded } from '../common/service-error.js';
import { type SoundFile, StoredFileDamaged } from './sound-file.js';
import { type FileMeasure, measure, writeSynced } from './synced-files.js';

/** A blob as it lies in the store. */
export interface StoredBlob {
  key: string;
  bytes: number;
  /** Lower-case hex of the content. */
  sha256: string;
}

/** A blob as a look through the store finds it. */
export interface FoundBlob {
  key: string;
  bytes: number;
  /** Epoch milliseconds. */
  changedAt: number;
}

/** A file being made, outside the store until `keep` moves it in. */
export interface Draft {
  path: string;
}

/** How a draft is kept: the name's ending with its dot, and the file's size and hash where they are known. */
export interface Keeping {
  readonly extension?: string;
  readonly measured?: FileMeasure;
}

/** Space that photographs and reports leave free: a twentieth of the disk, at most this. */
const MOST_RESERVED = 256 * 1024 * 1024;

const DRAFTS = 'drafts';

const validKey = /^[a-z]+\/[0-9a-f]{2}\/[0-9a-f-]{36}(\.[a-z0-9]{1,8})?$/;

/**
 * Keeps bytes: in a directory (`DiskStore`) or in a bucket (`S3Store`). When `put` or `keep` answers, the bytes survive a
 * power cut. Keys are ours (`photographs/3f/<uuid>.jpg`), each is written once and never changed; no caller's text becomes
 * a path. Files that are being made lie in a local folder either way: workers read and write paths.
 */
export abstract class BlobStore {
  protected readonly root: string;
  private readonly made = new Set<string>();

  /** Where blobs go that no row names, for an operator to read. */
  abstract readonly setAsidePath: string;

  constructor(folder: string) {
    this.root = resolve(folder);
  }

  /** Stores bytes or a stream under a new key of this kind (`photographs`, `renditions`, `reports` …). */
  abstract put(kind: string, content: Uint8Array | Readable, extension?: string): Promise<StoredBlob>;

  /**
   * Moves a finished draft into the store. Whoever wrote it says what it measured while writing: a large file is not read
   * through here again, where every other call would wait for its turn.
   */
  abstract keep(draft: Draft, kind: string, keeping?: Keeping): Promise<StoredBlob>;

  /** Rejects where there is no such blob. */
  abstract read(key: string): Promise<Buffer>;

  /** All of it, or from `start` to `end`, both included. Fails where there is no such blob. */
  abstract stream(key: string, range?: { start: number; end: number }): Readable;

  /** Undefined where there is no such blob. */
  abstract size(key: string): Promise<number | undefined>;

  /** Is content where there is no such blob. */
  abstract remove(key: string): Promise<void>;

  /** Takes a blob out of the store, to a place beside it that an operator may delete. */
  abstract setAside(key: string): Promise<void>;

  /**
   * Gives `use` these blobs as local files, for workers that read paths; they may be gone when it ends. A blob that is not
   * there has a path at which nothing lies.
   */
  abstract withFiles<Value>(
    keys: Iterable<string>,
    use: (pathOf: (key: string) => string) => Promise<Value>,
  ): Promise<Value>;

  /** Whether a blob is there and has the recorded content. */
  async isSound(blob: Pick<StoredBlob, 'key' | 'sha256'>): Promise<boolean> {
    return this.withSound(blob, () => Promise.resolve(true)).catch((error: unknown) => {
      if (error instanceof StoredFileDamaged) return false;
      throw error;
    });
  }

  /**
   * Gives `use` a blob as a local file, once its content is found to have the recorded SHA-256. Throws
   * `StoredFileDamaged` where it has not, or is gone.
   */
  withSound<Value>(
    { key, sha256 }: Pick<StoredBlob, 'key' | 'sha256'>,
    use: (file: SoundFile) => Promise<Value>,
  ): Promise<Value> {
    return this.withFiles([key], async (pathOf) => {
      const path = pathOf(key);
      const found = await measure(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'EIO') return undefined;
        throw error;
      });
      if (found?.sha256 !== sha256) throw new StoredFileDamaged();
      return use({ path, stream: (range) => createReadStream(path, range) });
    });
  }

  /** Writes something and removes it again: throws the error that makes the store unusable. A full disk does not. */
  abstract probe(): Promise<void>;

  /** Where the store is and why this error of `probe` makes it unusable, in words that no secret is in. */
  abstract refusal(error: unknown): string;

  /** Milliseconds that a `probe` may take. */
  abstract readonly probeMs: number;

  /** Every blob that lies in the store; not the drafts. One that is written or removed meanwhile may be left out. */
  abstract blobs(): AsyncGenerator<FoundBlob>;

  /** Those of one kind. */
  abstract blobsOf(kind: string): AsyncGenerator<FoundBlob>;

  async exists(key: string): Promise<boolean> {
    return (await this.size(key)) !== undefined;
  }

  /**
   * A path for a worker to write to; `keep` or `discard` ends it. Drafts of a crash are swept at start and now and then.
   * Throws 503 `overloaded` where the disk is nearly full.
   */
  async draft(): Promise<Draft> {
    await this.requireRoom(0);
    return { path: await this.newDraft() };
  }

  /** Reads a finished draft through. */
  measure(draft: Draft): Promise<FileMeasure> {
    return measure(draft.path);
  }

  /**
   * Throws 503 `overloaded` where these bytes more would take from the rest of the disk, which is reserved for the
   * database, so that calls still have their records.
   */
  async requireRoom(bytes: number): Promise<void> {
    const { free, all } = await this.room();
    if (free - bytes < Math.min(all / 20, MOST_RESERVED)) throw nearlyFull();
  }

  async discard(draft: Draft): Promise<void> {
    await rm(draft.path, { force: true });
  }

  /** Bytes free on the local folder's disk, and bytes that it has in all. */
  async room(): Promise<{ free: number; all: number }> {
    await this.ensure(this.root);
    const { bavail, blocks, bsize } = await statfs(this.root);
    return { free: bavail * bsize, all: blocks * bsize };
  }

  /** Removes drafts older than an hour, which crashed processes left. `now` in epoch milliseconds. */
  async sweepDrafts(now: number): Promise<void> {
    const directory = join(this.root, DRAFTS);
    for (const name of await readdir(directory).catch(() => [])) {
      const path = join(directory, name);
      const found = await stat(path).catch(() => undefined);
      if (found && now - found.mtimeMs > 3_600_000) await rm(path, { force: true });
    }
  }

  protected async probeFolder(): Promise<void> {
    const path = await this.newDraft();
    try {
      await writeSynced(path, Buffer.from('probe'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await rm(path, { force: true });
    }
  }

  protected folderRefusal(error: unknown): string {
    const { code, message } = error as NodeJS.ErrnoException;
    return `files cannot be written in ${this.root} (${code ?? message})`;
  }

  /** A path in the folder of drafts, however full the disk is. */
  private async newDraft(): Promise<string> {
    const directory = join(this.root, DRAFTS);
    await this.ensure(directory);
    return join(directory, randomUUID());
  }

  protected newKey(kind: string, extension: string): string {
    const id = randomUUID();
    return checkedKey(`${kind}/${id.slice(0, 2)}/${id}${extension}`);
  }

  /** Makes the folders down to this one, and makes their names durable, even those of folders that exist. */
  protected async ensure(directory: string): Promise<void> {
    if (this.made.has(directory)) return;
    if (directory === this.root) await makeLastingFolder(directory);
    else {
      await this.ensure(dirname(directory));
      await mkdir(directory, { recursive: true });
      await syncFolder(dirname(directory));
    }
    this.made.add(directory);
  }
}

export const isBlobKey = (text: string): boolean => validKey.test(text);

/** Throws where it is no key of ours. */
export function checkedKey(key: string): string {
  if (!validKey.test(key)) throw new Error('not a storage key');
  return key;
}

/** 503 `overloaded` where the disk's own error says that it is full; any other error as it is. */
export const fullOr = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC' ? nearlyFull() : error;

const nearlyFull = () =>
  new Overloaded(
    'The disk of this service is nearly full: nothing can be stored until there is room. Try again later.',
    60,
  );

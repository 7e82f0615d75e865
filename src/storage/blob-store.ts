import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { makeLastingFolder, syncFolder } from '../common/lasting-folder.js';
import { Overloaded } from '../common/service-error.js';
import { type SoundFile, StoredFileDamaged } from './sound-file.js';
import { type FileMeasure, measure, writeSynced } from './synced-files.js';

/** A blob in the store. */
export interface StoredBlob {
  key: string;
  bytes: number;
  /** Lower-case hex of the content. */
  sha256: string;
}

/** A blob as listed in the store. */
export interface FoundBlob {
  key: string;
  bytes: number;
  /** Epoch milliseconds. */
  changedAt: number;
}

/** A file that is being made, outside the store until `keep` moves it in. */
export interface Draft {
  path: string;
}

/** Options of `keep`: the name's ending with its dot, and the file's size and hash if they are known. */
export interface Keeping {
  readonly extension?: string;
  readonly measured?: FileMeasure;
}

/** The most space that photographs and reports leave free: a twentieth of the disk, up to this. */
const MOST_RESERVED = 256 * 1024 * 1024;

const DRAFTS = 'drafts';

const validKey = /^[a-z]+\/[0-9a-f]{2}\/[0-9a-f-]{36}(\.[a-z0-9]{1,8})?$/;

/**
 * Stores bytes in a directory (`DiskStore`) or in a bucket (`S3Store`). Once `put` or `keep` resolves, the bytes survive a
 * power cut. Keys are generated (`photographs/3f/<uuid>.jpg`); each is written once and never changed, and no text of a
 * caller becomes a path. Drafts are always in a local folder, because workers read and write paths.
 */
export abstract class BlobStore {
  protected readonly root: string;
  private readonly made = new Set<string>();

  /** The place to which `setAside` moves blobs, for messages to the operator. */
  abstract readonly setAsidePath: string;

  constructor(folder: string) {
    this.root = resolve(folder);
  }

  /** Stores bytes or a stream under a new key of this kind (`photographs`, `renditions`, `reports` …). */
  abstract put(kind: string, content: Uint8Array | Readable, extension?: string): Promise<StoredBlob>;

  /**
   * Moves a finished draft into the store. Its writer passes the size and hash that it measured while writing, so that a
   * large file need not be read again.
   */
  abstract keep(draft: Draft, kind: string, keeping?: Keeping): Promise<StoredBlob>;

  /** Rejects if there is no such blob. */
  abstract read(key: string): Promise<Buffer>;

  /** Streams the blob, or `start` to `end`, both included. Fails if there is no such blob. */
  abstract stream(key: string, range?: { start: number; end: number }): Readable;

  /** Returns undefined if there is no such blob. */
  abstract size(key: string): Promise<number | undefined>;

  /** Does nothing if there is no such blob. */
  abstract remove(key: string): Promise<void>;

  /** Moves a blob out of the store to `setAsidePath`, which an operator may delete. */
  abstract setAside(key: string): Promise<void>;

  /**
   * Passes these blobs to `use` as local files, for workers that read paths. The files may be deleted when it ends. The path
   * of a missing blob names no file.
   */
  abstract withFiles<Value>(
    keys: Iterable<string>,
    use: (pathOf: (key: string) => string) => Promise<Value>,
  ): Promise<Value>;

  /** Resolves to true if the blob exists and has the recorded content. */
  async isSound(blob: Pick<StoredBlob, 'key' | 'sha256'>): Promise<boolean> {
    return this.withSound(blob, () => Promise.resolve(true)).catch((error: unknown) => {
      if (error instanceof StoredFileDamaged) return false;
      throw error;
    });
  }

  /**
   * Checks that a blob has the recorded SHA-256 and passes it to `use` as a local file. Throws `StoredFileDamaged` if it has
   * another content or is missing; `remedy` is the sentence that says what to do.
   */
  withSound<Value>(
    { key, sha256 }: Pick<StoredBlob, 'key' | 'sha256'>,
    use: (file: SoundFile) => Promise<Value>,
    remedy?: string,
  ): Promise<Value> {
    return this.withFiles([key], async (pathOf) => {
      const path = pathOf(key);
      const found = await measure(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'EIO') return undefined;
        throw error;
      });
      if (found?.sha256 !== sha256) throw new StoredFileDamaged(remedy);
      return use({ path, stream: (range) => createReadStream(path, range) });
    });
  }

  /** Writes something and removes it again. Throws the error that makes the store unusable; a full disk is none. */
  abstract probe(): Promise<void>;

  /** Describes the store and the error of `probe` that makes it unusable, without secrets. */
  abstract refusal(error: unknown): string;

  /** Time limit of `probe` in milliseconds. */
  abstract readonly probeMs: number;

  /** Lists every blob in the store, without drafts. One that is written or removed meanwhile may be left out. */
  abstract blobs(): AsyncGenerator<FoundBlob>;

  /** Lists the blobs of one kind. */
  abstract blobsOf(kind: string): AsyncGenerator<FoundBlob>;

  async exists(key: string): Promise<boolean> {
    return (await this.size(key)) !== undefined;
  }

  /**
   * Returns a path for a worker to write to, until `keep` or `discard`. Drafts left by a crash are swept at the start and
   * regularly. Throws 503 `overloaded` if the disk is nearly full.
   */
  async draft(): Promise<Draft> {
    await this.requireSpace(0);
    return { path: await this.newDraft() };
  }

  /** Measures a finished draft by reading it. */
  measure(draft: Draft): Promise<FileMeasure> {
    return measure(draft.path);
  }

  /**
   * Throws 503 `overloaded` if so many more bytes would use the space that is reserved for the database, in which calls are
   * still recorded.
   */
  async requireSpace(bytes: number): Promise<void> {
    const { free, all } = await this.diskSpace();
    if (free - bytes < Math.min(all / 20, MOST_RESERVED)) throw nearlyFull();
  }

  async discard(draft: Draft): Promise<void> {
    await rm(draft.path, { force: true });
  }

  /** Returns the free and the total bytes of the local folder's disk. */
  async diskSpace(): Promise<{ free: number; all: number }> {
    await this.ensure(this.root);
    const { bavail, blocks, bsize } = await statfs(this.root);
    return { free: bavail * bsize, all: blocks * bsize };
  }

  /** Removes drafts older than an hour, which crashed processes left. `now` is in epoch milliseconds. */
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

  /** Returns a path in the folder of drafts, however full the disk is. */
  private async newDraft(): Promise<string> {
    const directory = join(this.root, DRAFTS);
    await this.ensure(directory);
    return join(directory, randomUUID());
  }

  protected newKey(kind: string, extension: string): string {
    const id = randomUUID();
    return checkedKey(`${kind}/${id.slice(0, 2)}/${id}${extension}`);
  }

  /** Creates the folders down to this one and makes their names durable, even those of existing folders. */
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

/** Returns the key. Throws if it is not of the store's form. */
export function checkedKey(key: string): string {
  if (!validKey.test(key)) throw new Error('not a storage key');
  return key;
}

/** Returns 503 `overloaded` for the error of a full disk, and any other error as it is. */
export const fullOr = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC' ? nearlyFull() : error;

const nearlyFull = () =>
  new Overloaded(
    'The disk of this service is nearly full. Nothing can be stored until space is freed. Try again later.',
    60,
  );

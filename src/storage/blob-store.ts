import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, lstat, mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { AppConfig } from '../common/app-config.js';
import { makeLastingFolder, syncFolder } from '../common/lasting-folder.js';
import { Overloaded } from '../common/service-error.js';
import { type FileMeasure, measure, syncFile, writeSynced } from './synced-files.js';

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

/** Where blobs lie that no row names. */
const SET_ASIDE = 'set-aside';

/** Space that photographs and reports leave free: a twentieth of the disk, at most this. */
const MOST_RESERVED = 256 * 1024 * 1024;

const validKey = /^[a-z]+\/[0-9a-f]{2}\/[0-9a-f-]{36}(\.[a-z0-9]{1,8})?$/;

/**
 * Keeps bytes in a directory. A blob is written beside the store, synced, and renamed into place with its directory
 * synced, as are those above it: when `put` or `keep` answers, the bytes survive a power cut. Keys are ours (`photographs/3f/<uuid>.jpg`);
 * no caller's text becomes a path. With the workers, app-config and lasting-folder the only user of `fs`.
 */
@Injectable()
export class BlobStore {
  private readonly root: string;
  private readonly made = new Set<string>();

  constructor(config: AppConfig) {
    this.root = resolve(config.storageDir);
  }

  /** Stores bytes or a stream under a new key of this kind (`photographs`, `renditions`, `reports` …). */
  async put(kind: string, content: Uint8Array | Readable, extension = ''): Promise<StoredBlob> {
    const draft = await this.draft();
    try {
      const measured = await writeSynced(draft.path, content);
      return { key: await this.moveIn(draft, kind, extension), ...measured };
    } catch (error) {
      await this.discard(draft);
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? nearlyFull() : error;
    }
  }

  /**
   * A path for a worker to write to; `keep` or `discard` ends it. Drafts of a crash are swept at start and now and then.
   * Throws 503 `overloaded` where the disk is nearly full.
   */
  async draft(): Promise<Draft> {
    await this.requireRoom(0);
    const directory = join(this.root, 'drafts');
    await this.ensure(directory);
    return { path: join(directory, randomUUID()) };
  }

  /**
   * Syncs a finished draft and moves it into the store. Whoever wrote it says what it measured while writing: a large
   * file is not read through here again, where every other call would wait for its turn.
   */
  async keep(draft: Draft, kind: string, { extension = '', measured }: Keeping = {}): Promise<StoredBlob> {
    const { bytes, sha256 } = measured ?? (await measure(draft.path));
    await syncFile(draft.path);
    return { key: await this.moveIn(draft, kind, extension), bytes, sha256 };
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

  read(key: string): Promise<Buffer> {
    return readFile(this.pathOf(key));
  }

  stream(key: string, range?: { start: number; end: number }): Readable {
    return createReadStream(this.pathOf(key), range);
  }

  async size(key: string): Promise<number | undefined> {
    return stat(this.pathOf(key)).then(
      (found) => found.size,
      () => undefined,
    );
  }

  async exists(key: string): Promise<boolean> {
    return access(this.pathOf(key)).then(
      () => true,
      () => false,
    );
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  get setAsidePath(): string {
    return join(this.root, SET_ASIDE);
  }

  /** Takes a blob out of the store, into a directory beside it that an operator may delete. */
  async setAside(key: string): Promise<void> {
    await this.ensure(this.setAsidePath);
    await rename(this.pathOf(key), join(this.setAsidePath, key.replaceAll('/', '-')));
  }

  /** Where a blob lies, for workers that read it themselves. */
  pathOf(key: string): string {
    if (!validKey.test(key)) throw new Error('not a storage key');
    return join(this.root, key);
  }

  /** Bytes free on the store's disk, and bytes that it has in all. */
  async room(): Promise<{ free: number; all: number }> {
    await this.ensure(this.root);
    const { bavail, blocks, bsize } = await statfs(this.root);
    return { free: bavail * bsize, all: blocks * bsize };
  }

  /** Writes a file and removes it again: throws the error that makes the store unusable. A full disk does not. */
  async probe(): Promise<void> {
    const directory = join(this.root, 'drafts');
    await this.ensure(directory);
    const path = join(directory, randomUUID());
    try {
      await writeSynced(path, Buffer.from('probe'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Removes drafts older than an hour, which crashed processes left. `now` in epoch milliseconds. */
  async sweepDrafts(now: number): Promise<void> {
    const directory = join(this.root, 'drafts');
    for (const name of await readdir(directory).catch(() => [])) {
      const path = join(directory, name);
      const found = await stat(path).catch(() => undefined);
      if (found && now - found.mtimeMs > 3_600_000) await rm(path, { force: true });
    }
  }

  /** Every blob that lies in the store; not the drafts. One that is removed meanwhile may be left out. */
  async *blobs(): AsyncGenerator<FoundBlob> {
    for (const kind of await directoriesIn(this.root)) {
      if (kind !== 'drafts' && kind !== SET_ASIDE) yield* this.blobsOf(kind);
    }
  }

  /** Those of one kind. */
  async *blobsOf(kind: string): AsyncGenerator<FoundBlob> {
    for (const shard of await directoriesIn(join(this.root, kind))) {
      for (const name of await readdir(join(this.root, kind, shard))) {
        const key = `${kind}/${shard}/${name}`;
        const found = validKey.test(key) ? await lstat(this.pathOf(key)).catch(() => undefined) : undefined;
        if (found?.isFile()) yield { key, bytes: found.size, changedAt: found.mtimeMs };
      }
    }
  }

  private async moveIn(draft: Draft, kind: string, extension: string): Promise<string> {
    const id = randomUUID();
    const key = `${kind}/${id.slice(0, 2)}/${id}${extension}`;
    const target = this.pathOf(key);
    await this.ensure(dirname(target));
    await rename(draft.path, target);
    await syncFolder(dirname(target));
    return key;
  }

  /** Makes the folders down to this one, and makes their names durable, even those of folders that exist. */
  private async ensure(directory: string): Promise<void> {
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

const nearlyFull = () =>
  new Overloaded(
    'The disk of this service is nearly full: nothing can be stored until there is room. Try again later.',
    60,
  );

/** None where the store has not been written to yet. */
async function directoriesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

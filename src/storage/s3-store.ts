import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Place } from '../common/app-config.js';
import { TaskQueue } from '../common/processes/task-queue.js';
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
import { s3Client, type S3Patience } from './s3-client.js';
import { BucketAway } from './s3-faults.js';
import { S3Objects } from './s3-objects.js';
import { BlobMissing, objectBytes } from './s3-reading.js';
import { measure, writeSynced } from './synced-files.js';

/** The prefix of blobs that no row names. */
const SET_ASIDE = 'set-aside';

/** Uploads at the same time, each of which holds a part in memory, and downloads at the same time for one worker. */
const MOST_UPLOADS = 8;
const MOST_DOWNLOADS = 4;

const ALWAYS = new AbortController().signal;

/**
 * Stores bytes in an S3 bucket (contract section 13), under the keys that they would have on disk, so that one can be copied
 * to the other. Once `put` or `keep` resolves, the bucket has acknowledged every byte. Throws 503 `overloaded` if a call to
 * the bucket fails; a failed upload may leave an object, which `storage:audit` finds.
 */
export class S3Store extends BlobStore {
  readonly probeMs = 30_000;
  private readonly uploads = new TaskQueue(MOST_UPLOADS, Infinity, '');

  constructor(
    private readonly objects: S3Objects,
    folder: string,
  ) {
    super(folder);
  }

  /** `folder` holds the drafts. */
  static at(place: S3Place, folder: string, patience?: S3Patience): S3Store {
    return new S3Store(new S3Objects(s3Client(place, patience), place), folder);
  }

  async put(kind: string, content: Uint8Array | Readable, extension = ''): Promise<StoredBlob> {
    const key = this.newKey(kind, extension);
    if (content instanceof Uint8Array) {
      const sha256 = createHash('sha256').update(content).digest('hex');
      await this.upload(key, () => this.objects.put(key, content));
      return { key, bytes: content.byteLength, sha256 };
    }
    const draft = await this.draft();
    try {
      const measured = await writeSynced(draft.path, content);
      await this.upload(key, () => this.objects.putFile(key, draft.path, measured.bytes));
      return { key, ...measured };
    } catch (error) {
      throw fullOr(error);
    } finally {
      await this.discard(draft);
    }
  }

  async keep(draft: Draft, kind: string, { extension = '', measured }: Keeping = {}): Promise<StoredBlob> {
    const { bytes, sha256 } = measured ?? (await measure(draft.path));
    const key = this.newKey(kind, extension);
    await this.upload(key, () => this.objects.putFile(key, draft.path, bytes));
    await this.discard(draft);
    return { key, bytes, sha256 };
  }

  async read(key: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of objectBytes(this.objects, checkedKey(key))) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  stream(key: string, range?: { start: number; end: number }): Readable {
    return Readable.from(objectBytes(this.objects, checkedKey(key), range), { objectMode: false });
  }

  size(key: string): Promise<number | undefined> {
    return this.objects.size(checkedKey(key));
  }

  remove(key: string): Promise<void> {
    return this.objects.remove(checkedKey(key));
  }

  get setAsidePath(): string {
    const { bucket, prefix } = this.objects.place;
    return `s3://${bucket}/${prefix}${SET_ASIDE}`;
  }

  /** Does nothing if the blob was listed but is gone already. */
  async setAside(key: string): Promise<void> {
    const copied = await this.objects.copy(checkedKey(key), `${SET_ASIDE}/${key.replaceAll('/', '-')}`);
    if (copied) await this.objects.remove(key);
  }

  async withFiles<Value>(
    keys: Iterable<string>,
    use: (pathOf: (key: string) => string) => Promise<Value>,
  ): Promise<Value> {
    const drafts = new Map<string, Draft>();
    const waiting = new Set(keys).values();
    const work = async (): Promise<void> => {
      for (const key of waiting) {
        const draft = await this.draft();
        drafts.set(key, draft);
        await this.download(key, draft);
      }
    };
    try {
      // All have ended before a draft is removed, so that none still writes to it.
      const ends = await Promise.allSettled(Array.from({ length: MOST_DOWNLOADS }, work));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      return await use((key) => drafts.get(key)!.path);
    } finally {
      for (const draft of drafts.values()) await this.discard(draft);
    }
  }

  /** Writes, reads, lists and removes an object, because each of these rights is needed. */
  async probe(): Promise<void> {
    await this.probeFolder();
    const key = this.newKey('probe', '');
    await this.objects.put(key, Buffer.from('probe'));
    await this.read(key);
    for await (const _ of this.objects.list(key));
    await this.objects.remove(key);
    // Without the right to list, some buckets answer 403 for a missing object.
    await this.size(key);
  }

  refusal(error: unknown): string {
    if (error instanceof BucketAway) return error.why;
    const isOfTheFolder = 'syscall' in (error as object);
    return isOfTheFolder ? this.folderRefusal(error) : new BucketAway(error, this.objects.place).why;
  }

  blobs(): AsyncGenerator<FoundBlob> {
    return this.found('');
  }

  blobsOf(kind: string): AsyncGenerator<FoundBlob> {
    return this.found(`${kind}/`);
  }

  private async *found(begin: string): AsyncGenerator<FoundBlob> {
    for await (const found of this.objects.list(begin)) if (isBlobKey(found.key)) yield found;
  }

  private async download(key: string, draft: Draft): Promise<void> {
    try {
      await writeSynced(draft.path, this.stream(key));
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw fullOr(error);
      await this.discard(draft);
    }
  }

  private async upload(key: string, work: () => Promise<void>): Promise<void> {
    try {
      await this.uploads.run(work, ALWAYS);
    } catch (error) {
      // The object may exist although its answer was lost.
      await this.objects.remove(key).catch(() => undefined);
      throw error;
    }
  }
}

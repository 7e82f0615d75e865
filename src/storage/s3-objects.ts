import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { S3Place } from '../common/app-config.js';
import { BucketAway, isNoObject } from './s3-faults.js';

/** A larger file is uploaded in parts of this size; a part and the beginning of the next are held in memory. */
const PART_BYTES = 8 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
/** S3 allows 10,000 parts. */
const MOST_PARTS = 9_000;

/** An object of the bucket; the key is without the prefix. */
interface S3Object {
  readonly key: string;
  readonly bytes: number;
  /** Epoch milliseconds, by the clock of the bucket. */
  readonly changedAt: number;
}

/** The bytes of an object from `start` on; `bytes` is their number if the bucket declares it. */
interface S3Answer {
  readonly body: Readable;
  readonly bytes: number | undefined;
  readonly start: number;
}

/** The calls to the bucket, by keys without the prefix. Each throws 503 `overloaded` if it fails after its retries. */
export class S3Objects {
  constructor(
    readonly client: S3Client,
    readonly place: S3Place,
  ) {}

  /** Returns bucket and key as calls name them. */
  at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: this.place.prefix + key };
  }

  /** Writes an object whole or not at all; retries write the same bytes. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.call(() =>
      this.client.send(
        new PutObjectCommand({ ...this.at(key), Body: bytes, ContentLength: bytes.byteLength }),
      ),
    );
  }

  /**
   * Uploads a file, a large one in parts (multipart upload), each from memory, so that the client can retry it. The object
   * appears under its key once it is whole.
   */
  async putFile(key: string, path: string, bytes: number): Promise<void> {
    const Body = createReadStream(path, { highWaterMark: READ_BYTES });
    const partSize = Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS));
    const params = { ...this.at(key), Body };
    try {
      await this.call(() => new Upload({ client: this.client, params, partSize, queueSize: 1 }).done());
    } catch (error) {
      // If the answer to the last call was lost, its retry finds that the upload has ended, and the object exists.
      if ((await this.size(key).catch(() => undefined)) !== bytes) throw error;
    } finally {
      Body.destroy();
    }
  }

  /** Returns undefined if there is no such object. */
  async size(key: string): Promise<number | undefined> {
    const found = await this.callIfExists(() => this.client.send(new HeadObjectCommand(this.at(key))));
    return found?.ContentLength;
  }

  /**
   * Returns the beginning of an answer, whose body may break off, or undefined if there is no such object. `range` is an
   * HTTP range; some buckets return more than it.
   */
  async get(key: string, range?: string): Promise<S3Answer | undefined> {
    const Range = range === undefined ? {} : { Range: range };
    const got = await this.callIfExists<GetObjectCommandOutput>(() =>
      this.client.send(new GetObjectCommand({ ...this.at(key), ...Range })),
    );
    if (!got) return undefined;
    const start = /^bytes (\d+)-/.exec(got.ContentRange ?? '')?.[1] ?? 0;
    return { body: got.Body as Readable, bytes: got.ContentLength, start: Number(start) };
  }

  /** Does nothing if there is no such object. */
  async remove(key: string): Promise<void> {
    await this.callIfExists(() => this.client.send(new DeleteObjectCommand(this.at(key))));
  }

  /** Returns false if there is no such object. */
  async copy(key: string, to: string): Promise<boolean> {
    const { Bucket, Key } = this.at(key);
    const CopySource = encodeURI(`${Bucket}/${Key}`);
    return (
      (await this.callIfExists(() =>
        this.client.send(new CopyObjectCommand({ ...this.at(to), CopySource })),
      )) !== undefined
    );
  }

  /** Lists objects whose keys have this prefix. A bucket may list late, so the list may lack objects and have deleted ones. */
  async *list(begin: string): AsyncGenerator<S3Object> {
    const { Bucket, Key: Prefix } = this.at(begin);
    let after: string | undefined;
    do {
      const ContinuationToken = after === undefined ? {} : { ContinuationToken: after };
      const page = await this.call(() =>
        this.client.send(new ListObjectsV2Command({ Bucket, Prefix, ...ContinuationToken })),
      );
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
        yield {
          key: Key.slice(this.place.prefix.length),
          bytes: Size,
          changedAt: LastModified?.getTime() ?? 0,
        };
      after = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (after !== undefined);
  }

  /** Makes a call; throws 503 in place of the client's errors. */
  private async call<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      throw new BucketAway(error, this.place);
    }
  }

  private async callIfExists<Answer>(send: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await send();
    } catch (error) {
      if (isNoObject(error)) return undefined;
      throw new BucketAway(error, this.place);
    }
  }
}

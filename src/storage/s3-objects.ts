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

/** A smaller file is one object at once; a part and what has been read of the next are held in memory. */
const PART_BYTES = 8 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
/** S3 takes 10,000 parts. */
const MOST_PARTS = 9_000;

/** An object of the bucket; the key is ours, without the prefix. */
export interface S3Object {
  readonly key: string;
  readonly bytes: number;
  /** Epoch milliseconds, by the clock of the bucket. */
  readonly changedAt: number;
}

/** The bytes of an object from `start` on, `bytes` many where it says so. */
export interface S3Answer {
  readonly body: Readable;
  readonly bytes: number | undefined;
  readonly start: number;
}

/** Every call of the bucket, by our keys. Each throws 503 `overloaded` where the bucket does not do it, after retries. */
export class S3Objects {
  constructor(
    readonly client: S3Client,
    readonly place: S3Place,
  ) {}

  /** Bucket and key as every call names them. */
  at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: this.place.prefix + key };
  }

  /** Written whole or not at all, the same bytes however often it is retried. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.ask(() =>
      this.client.send(
        new PutObjectCommand({ ...this.at(key), Body: bytes, ContentLength: bytes.byteLength }),
      ),
    );
  }

  /**
   * Brings a file into the bucket, a large one in parts (multipart upload), each from memory, so that the client can retry
   * it. Nothing lies under the key before all of it does.
   */
  async putFile(key: string, path: string, bytes: number): Promise<void> {
    const Body = createReadStream(path, { highWaterMark: READ_BYTES });
    const partSize = Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS));
    const params = { ...this.at(key), Body };
    try {
      await this.ask(() => new Upload({ client: this.client, params, partSize, queueSize: 1 }).done());
    } catch (error) {
      // If the answer to the last call was lost, its retry finds the upload ended: the object is there.
      if ((await this.size(key).catch(() => undefined)) !== bytes) throw error;
    } finally {
      Body.destroy();
    }
  }

  /** Undefined where there is none. */
  async size(key: string): Promise<number | undefined> {
    const found = await this.ifThere(() => this.client.send(new HeadObjectCommand(this.at(key))));
    return found?.ContentLength;
  }

  /**
   * The beginning of an answer; its body may break off. `range` in HTTP's words: some bucket answers with more of the object
   * than was asked for. Undefined where there is none.
   */
  async get(key: string, range?: string): Promise<S3Answer | undefined> {
    const Range = range === undefined ? {} : { Range: range };
    const got = await this.ifThere<GetObjectCommandOutput>(() =>
      this.client.send(new GetObjectCommand({ ...this.at(key), ...Range })),
    );
    if (!got) return undefined;
    const start = /^bytes (\d+)-/.exec(got.ContentRange ?? '')?.[1] ?? 0;
    return { body: got.Body as Readable, bytes: got.ContentLength, start: Number(start) };
  }

  /** Is content where there is none. */
  async remove(key: string): Promise<void> {
    await this.ifThere(() => this.client.send(new DeleteObjectCommand(this.at(key))));
  }

  /** False where there is none. */
  async copy(key: string, to: string): Promise<boolean> {
    const { Bucket, Key } = this.at(key);
    const CopySource = encodeURI(`${Bucket}/${Key}`);
    return (
      (await this.ifThere(() => this.client.send(new CopyObjectCommand({ ...this.at(to), CopySource })))) !==
      undefined
    );
  }

  /** Those whose keys begin so. A bucket may list late: one that is missing here may be there, and the other way round. */
  async *list(begin: string): AsyncGenerator<S3Object> {
    const { Bucket, Key: Prefix } = this.at(begin);
    let after: string | undefined;
    do {
      const ContinuationToken = after === undefined ? {} : { ContinuationToken: after };
      const page = await this.ask(() =>
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

  /** Answers what the bucket answers; throws 503 in the place of the client's errors. */
  async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await question();
    } catch (error) {
      throw new BucketAway(error, this.place);
    }
  }

  private async ifThere<Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await question();
    } catch (error) {
      if (isNoObject(error)) return undefined;
      throw new BucketAway(error, this.place);
    }
  }
}

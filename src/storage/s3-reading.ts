import { setTimeout as pause } from 'node:timers/promises';
import { BucketAway } from './s3-faults.js';
import type { S3Objects } from './s3-objects.js';

/** Consecutive answers without a byte after which reading fails. */
const MOST_FRUITLESS = 4;
const PAUSE_MS = 100;

/** There is no such blob. */
export class BlobMissing extends Error {
  constructor(key: string) {
    super(`the blob ${key} is not in the store`);
  }
}

/**
 * Yields the bytes of an object from `start` to `end`, both included. If an answer breaks off, a new one resumes there;
 * objects never change. Throws if there is no such object, or if the bucket does not send the rest.
 */
export async function* objectBytes(
  objects: S3Objects,
  key: string,
  { start, end }: { start: number; end?: number | undefined } = { start: 0 },
): AsyncGenerator<Buffer> {
  let at = start;
  let last = end;
  for (let fruitless = 0; ;) {
    const range = at > 0 || last !== undefined ? `bytes=${at}-${last ?? ''}` : undefined;
    const got = await objects.get(key, range);
    if (!got) throw new BlobMissing(key);
    if (got.start > at) throw new BucketAway({ name: 'another range' }, objects.place);
    if (last === undefined && got.bytes !== undefined) last = got.start + got.bytes - 1;
    const before = at;
    let fault: unknown;
    try {
      let from = got.start;
      for await (const chunk of got.body) {
        const piece = (chunk as Buffer).subarray(Math.max(0, at - from), (last ?? Infinity) + 1 - from);
        from += (chunk as Buffer).length;
        at += piece.length;
        if (piece.length > 0) yield piece;
        // Only an answer that is longer than requested is cut; others are read to their end, so that the connection is reused.
        if (last !== undefined && from > last + 1) break;
      }
    } catch (error) {
      fault = error;
    } finally {
      got.body.destroy();
    }
    const isWhole = last === undefined ? fault === undefined : at > last;
    if (isWhole) return;
    fruitless = at > before ? 0 : fruitless + 1;
    if (fruitless >= MOST_FRUITLESS) throw new BucketAway(fault ?? { name: 'broken off' }, objects.place);
    await pause(PAUSE_MS * (fruitless + 1));
  }
}

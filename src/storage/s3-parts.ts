import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type FileHandle, open } from 'node:fs/promises';
import { md5Of, type S3Objects } from './s3-objects.js';

/** Bytes of one file that are held in memory; a smaller file is one object at once. */
export const PART_BYTES = 8 * 1024 * 1024;
/** S3 takes 10,000 parts. */
const MOST_PARTS = 9_000;

/**
 * Brings a file into the bucket, a large one in parts (multipart upload), each from memory: the client can retry it, which
 * it cannot do with a stream. Nothing lies under the key before all of it does.
 */
export async function putFile(objects: S3Objects, key: string, path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r');
  try {
    if (bytes <= PART_BYTES) await objects.put(key, await pieceOf(file, 0, bytes));
    else await putInParts(objects, key, file, bytes);
  } finally {
    await file.close();
  }
}

async function putInParts(objects: S3Objects, key: string, file: FileHandle, bytes: number): Promise<void> {
  const { client } = objects;
  const at = objects.at(key);
  const { UploadId } = await objects.ask(() => client.send(new CreateMultipartUploadCommand(at)));
  const upload = { ...at, UploadId };
  try {
    const Parts: CompletedPart[] = [];
    const partBytes = Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS));
    for (let from = 0, PartNumber = 1; from < bytes; from += partBytes, PartNumber++) {
      const Body = await pieceOf(file, from, Math.min(partBytes, bytes - from));
      const part = { ...upload, PartNumber, Body, ContentLength: Body.length, ContentMD5: md5Of(Body) };
      const { ETag } = await objects.ask(() => client.send(new UploadPartCommand(part)));
      Parts.push({ PartNumber, ETag });
    }
    await complete(objects, key, bytes, () =>
      client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })),
    );
  } catch (error) {
    // Best effort: parts that stay are nobody's object, and a lifecycle rule of the bucket ends them.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

/** Where the answer was lost, the retry finds the upload ended: the object tells what became of it. */
async function complete(
  objects: S3Objects,
  key: string,
  bytes: number,
  finish: () => Promise<unknown>,
): Promise<void> {
  try {
    await objects.ask(finish);
  } catch (error) {
    if ((await objects.size(key).catch(() => undefined)) !== bytes) throw error;
  }
}

async function pieceOf(file: FileHandle, from: number, bytes: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(bytes);
  for (let got = 0; got < bytes;) {
    const { bytesRead } = await file.read(piece, got, bytes - got, from + got);
    if (bytesRead === 0) throw new Error('a draft became shorter while it was stored');
    got += bytesRead;
  }
  return piece;
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** The size of a file, and the SHA-256 of its content in lower-case hex. */
export interface FileMeasure {
  readonly bytes: number;
  readonly sha256: string;
}

/** Returns whether the error of a file operation says that there is no such file. */
export const isMissing = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOENT' || code === 'ENOTDIR';

/** Writes a new file, which survives a power cut once this resolves. Throws if the file exists. */
export async function writeSynced(path: string, content: Uint8Array | Readable): Promise<FileMeasure> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, 'wx');
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      const piece = chunk as Uint8Array;
      hash.update(piece);
      bytes += piece.byteLength;
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Measures a file by reading it. */
export async function measure(path: string): Promise<FileMeasure> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Syncs a file: its content survives a power cut once this resolves. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const CHUNK = 1024 * 1024;

/** Overwrites bytes of a finished file in place and answers the SHA-256 of all of it, to be gone on with. */
export function patchFile(path: string, position: number, text: string): Hash {
  const descriptor = openSync(path, 'r+');
  try {
    writeSync(descriptor, text, position, 'latin1');
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = 0, read = 0; (read = readSync(descriptor, chunk, 0, CHUNK, at)) > 0; at += read) {
      hash.update(chunk.subarray(0, read));
    }
    return hash;
  } finally {
    closeSync(descriptor);
  }
}

import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const BUFFER = 256 * 1024;

/** A place in a file, and the SHA-256 of the bytes before it. */
interface Checkpoint {
  readonly position: number;
  readonly hash: Hash;
}

/**
 * Writes a file from front to back and hashes it. Synchronous, because a worker thread has nothing else to do. Holds only one
 * buffer in memory.
 */
export class FileSink {
  private readonly descriptor: number;
  private readonly hash = createHash('sha256');
  private readonly buffer = Buffer.allocUnsafe(BUFFER);
  private filled = 0;
  private flushed = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, 'w', 0o600);
  }

  get length(): number {
    return this.flushed + this.filled;
  }

  write(bytes: Buffer): void {
    if (bytes.length > BUFFER - this.filled) this.flush();
    if (bytes.length > BUFFER) return this.through(bytes);
    bytes.copy(this.buffer, this.filled);
    this.filled += bytes.length;
  }

  /** Copies `length` bytes from the beginning of an open file. Throws if it has fewer. */
  copyFrom(source: number, length: number): void {
    for (let position = 0; position < length;) {
      if (this.filled === BUFFER) this.flush();
      const wanted = Math.min(length - position, BUFFER - this.filled);
      const read = readSync(source, this.buffer, this.filled, wanted, position);
      if (read === 0) throw new Error('A picture became shorter while it was being read.');
      this.filled += read;
      position += read;
    }
  }

  /** Returns the place that is reached and the hash up to it, from which the hash of a changed end can be continued. */
  checkpoint(): Checkpoint {
    this.flush();
    return { position: this.flushed, hash: this.hash.copy() };
  }

  /** Returns the file's size and hash. The file is durable only once it is moved into the store. */
  finish(): { bytes: number; sha256: string } {
    this.flush();
    closeSync(this.descriptor);
    return { bytes: this.flushed, sha256: this.hash.digest('hex') };
  }

  abandon(): void {
    closeSync(this.descriptor);
  }

  private flush(): void {
    if (this.filled === 0) return;
    this.through(this.buffer.subarray(0, this.filled));
    this.filled = 0;
  }

  private through(bytes: Buffer): void {
    this.hash.update(bytes);
    for (let done = 0; done < bytes.length;) done += writeSync(this.descriptor, bytes, done);
    this.flushed += bytes.length;
  }
}

const CHUNK = 1024 * 1024;

/**
 * Overwrites bytes of a finished file and returns the SHA-256 of the whole, which can be continued. Reads the file from the
 * start, or from a checkpoint before those bytes.
 */
export function patchFile(
  path: string,
  position: number,
  text: string,
  { position: from, hash }: Checkpoint = { position: 0, hash: createHash('sha256') },
): Hash {
  const descriptor = openSync(path, 'r+');
  try {
    writeSync(descriptor, text, position, 'latin1');
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = from, read = 0; (read = readSync(descriptor, chunk, 0, CHUNK, at)) > 0; at += read) {
      hash.update(chunk.subarray(0, read));
    }
    return hash;
  } finally {
    closeSync(descriptor);
  }
}

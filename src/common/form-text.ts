import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { FREE_BYTES, holdBody } from './body-room.js';

/** Around a file stand its headers and the rest of its last chunk: not yet text that somebody keeps. */
const BETWEEN_FILES = 2 * FREE_BYTES;

/**
 * Counts what a form keeps in memory by itself: its text fields, from their first bytes on, so that one which never
 * ends is counted too. The bytes of files are counted by whoever keeps them.
 */
export class FormText {
  private openFiles = 0;
  private sinceFile = 0;
  private held = 0;
  private bytes = 0;

  constructor(private readonly request: Request) {}

  /** Bytes of all fields so far. */
  get total(): number {
    return this.bytes;
  }

  /** Bytes of the body come, before they are parsed. */
  pass(length: number): void {
    if (this.openFiles > 0) return;
    const text = Math.min(length, Math.max(0, this.sinceFile + length - BETWEEN_FILES));
    this.sinceFile += length;
    if (text > 0) this.hold(text);
  }

  /** A file begins: until its stream is closed, what passes is the file's. */
  file(stream: Readable): void {
    this.openFiles += 1;
    stream.once('close', () => {
      this.openFiles -= 1;
      this.sinceFile = 0;
    });
  }

  /** A field has come whole. Throws 503 `overloaded`, as `pass` does, where there is no room for it. */
  field(value: string): void {
    this.bytes += Buffer.byteLength(value);
    if (this.bytes > this.held) this.hold(this.bytes - this.held);
  }

  private hold(bytes: number): void {
    holdBody(this.request, bytes);
    this.held += bytes;
  }
}

import { isUtf8 } from 'node:buffer';
import type { Charset } from './charset.js';
import { firstFault, InvalidEncoding, type Transcoder, transcoderOf, wholeUntil } from './text-encoding.js';

/** The part of a text that must have arrived before memory is allocated for its announced length. */
const SHOWN = 1 / 8;

const MARK = Buffer.from('\ufeff');

/** Facts about a text before it arrives. */
export interface TextOptions {
  /** The declared charset; UTF-8 when absent. */
  charset?: Charset | undefined;
  /** The announced length; 0 when there is none. */
  expected?: number;
  /** The field of a form that the text is in. */
  field?: string;
}

/** A text while it arrives, decoded to UTF-8 in one contiguous buffer and checked as it grows. */
export class TextBuffer {
  bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);
  length = 0;
  private checked = 0;
  private readonly charset: Charset;
  private readonly transcoder: Transcoder | undefined;
  private readonly expected: number;
  private readonly field: string | undefined;

  constructor({ charset = 'utf-8', expected = 0, field }: TextOptions = {}) {
    this.charset = charset;
    this.transcoder = transcoderOf(charset, (offset) => this.fail(offset));
    this.expected = expected;
    this.field = field;
  }

  /** Returns how many bytes the chunk takes in memory. Throws 400 `invalid_encoding`. */
  push(chunk: Uint8Array): number {
    return this.append(this.transcoder ? this.transcoder.next(chunk) : chunk);
  }

  /** Ends the text. Throws 400 `invalid_encoding` when it ends within a character. */
  end(): void {
    if (this.transcoder) this.append(this.transcoder.end());
    if (this.checked < this.length) this.fail(this.checked);
  }

  /** Returns the text without its byte order mark and releases the buffer, because decoding takes as much memory again. */
  take(): Buffer<ArrayBuffer> {
    const { bytes, length } = this;
    this.bytes = Buffer.alloc(0);
    this.length = this.checked = 0;
    return bytes.subarray(bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0, length);
  }

  private append(more: Uint8Array): number {
    this.reserve(this.length + more.length);
    this.bytes.set(more, this.length);
    this.length += more.length;
    const whole = wholeUntil(this.bytes, this.checked, this.length);
    if (!isUtf8(this.bytes.subarray(this.checked, whole)))
      this.fail(firstFault(this.bytes, this.checked, whole));
    this.checked = whole;
    return more.length;
  }

  private reserve(needed: number): void {
    if (needed <= this.bytes.length) return;
    const shown = this.expected > 0 && needed >= this.expected * SHOWN;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, shown ? this.expected : 2 * needed));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  private fail(offset: number): never {
    throw new InvalidEncoding(offset, this.charset, this.field);
  }
}

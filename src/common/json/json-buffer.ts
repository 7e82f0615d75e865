import { setImmediate as nextTurn } from 'node:timers/promises';
import { valueOf } from './json-text.js';
import { USUAL_VALUES, type ValueBudget } from './json-limits.js';
import { JsonScan } from './json-scan.js';
import { parseWide } from './wide-json.js';

/**
 * From this size on, a text is decoded, parsed and handled in turns of their own: other calls are served in between.
 */
const LARGE_BYTES = 1024 * 1024;
const MANY_VALUES = 5_000;

/** No memory is allocated for an announced length alone: it counts once this part of the body has come. */
const SHOWN = 1 / 8;

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * A JSON text while it arrives: looked at byte by byte as it does, parsed once, at its end. Several may share a budget of
 * values.
 */
export class JsonBuffer {
  private bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);
  private length = 0;
  private readonly scan = new JsonScan();

  /** `expected` is the length that the caller has named, 0 where it named none. */
  constructor(
    private readonly budget: ValueBudget,
    private readonly expected = 0,
  ) {}

  /** The next bytes. Throws 413 `body_too_complex`, 400 `json_too_deep`: no more of the text is needed then. */
  push(chunk: Uint8Array): void {
    this.reserve(this.length + chunk.length);
    this.bytes.set(chunk, this.length);
    this.length += chunk.length;
    const before = this.scan.values;
    this.scan.read(this.bytes, this.length);
    this.budget.take(this.scan.values - before);
  }

  /** The value, or undefined where there is nothing but white space; 400 `invalid_request` where it is no JSON. */
  async parse(): Promise<unknown> {
    if (this.scan.blank) return undefined;
    const isHeavy = this.length > LARGE_BYTES || this.scan.values > MANY_VALUES;
    if (this.scan.values > USUAL_VALUES) return parseWide(this.takeBytes());
    const text = this.takeBytes().toString('utf8');
    if (!isHeavy) return valueOf(text);
    await nextTurn();
    const value = valueOf(text);
    await nextTurn();
    return value;
  }

  /** Releases the bytes: text and value take as much memory again. */
  private takeBytes(): Buffer<ArrayBuffer> {
    const { bytes, length } = this;
    this.bytes = Buffer.alloc(0);
    this.length = 0;
    return bytes.subarray(bytes.subarray(0, 3).equals(MARK) ? 3 : 0, length);
  }

  private reserve(needed: number): void {
    if (needed <= this.bytes.length) return;
    const shown = this.expected > 0 && needed >= this.expected * SHOWN;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, shown ? this.expected : 2 * needed));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

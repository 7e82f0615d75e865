import { setImmediate as nextTurn } from 'node:timers/promises';
import { type TextOptions, TextBuffer } from '../texts/text-buffer.js';
import { USUAL_VALUES, ValueBudget } from './json-limits.js';
import { JsonScan } from './json-scan.js';
import { valueOf, withExactIds } from './json-text.js';
import { parseWide } from './wide-json.js';

/**
 * From these sizes on, decoding, parsing and handling yield to the event loop, so that other calls are served in between.
 */
const LARGE_BYTES = 1024 * 1024;
const MANY_VALUES = 5_000;

/** Bytes of a text that are scanned in one turn of the event loop. */
const TURN_BYTES = 1024 * 1024;

/** Parses a long JSON text that is itself a member of a body, yielding in between. Throws like `JsonBuffer`. */
export async function parseInTurns(text: string, mostValues: number): Promise<unknown> {
  const bytes = Buffer.from(text);
  const json = new JsonBuffer(new ValueBudget(mostValues), { expected: bytes.length });
  for (let from = 0; from < bytes.length; from += TURN_BYTES) {
    json.push(bytes.subarray(from, from + TURN_BYTES));
    if (bytes.length > TURN_BYTES) await nextTurn();
  }
  return json.parse();
}

/**
 * A JSON text while it arrives: scanned byte by byte, and parsed once at its end. Several texts may share a budget of
 * values.
 */
export class JsonBuffer {
  private readonly text: TextBuffer;
  private readonly scan = new JsonScan();

  constructor(
    private readonly budget: ValueBudget,
    options: TextOptions = {},
  ) {
    this.text = new TextBuffer(options);
  }

  /**
   * Adds bytes; returns how many they take in memory. Throws 400 `invalid_encoding` or `json_too_deep`, or 413
   * `body_too_complex`; the rest of the text is not needed then.
   */
  push(chunk: Uint8Array): number {
    const taken = this.text.push(chunk);
    this.count();
    return taken;
  }

  /**
   * Returns the value; undefined when there is only white space. Throws 400 `invalid_request` for a text that is not JSON,
   * and `invalid_encoding` for one that ends within a character.
   */
  async parse(): Promise<unknown> {
    this.text.end();
    this.count();
    if (this.scan.blank) return undefined;
    const isHeavy = this.text.length > LARGE_BYTES || this.scan.values > MANY_VALUES;
    const bytes = this.text.take();
    if (this.scan.values > USUAL_VALUES) return parseWide(bytes);
    const text = bytes.toString('utf8');
    if (isHeavy) await nextTurn();
    const exact = this.scan.hasLongNumber ? withExactIds(text) : text;
    if (isHeavy) await nextTurn();
    const value = valueOf(exact);
    if (isHeavy) await nextTurn();
    return value;
  }

  private count(): void {
    const before = this.scan.values;
    this.scan.read(this.text.bytes, this.text.length);
    this.budget.take(this.scan.values - before);
  }
}

import { nodeValues } from '../engine/node-values.js';

/** The limits of one line of an answer, which is parsed in one piece, as an event or as the whole answer. */
interface LineLimits {
  bytes: number;
  values: number;
}

/** Limits of an event of a stream: four times a tool call with the largest arguments. */
export const EVENT_LIMITS: LineLimits = { bytes: 4 * 1024 * 1024, values: nodeValues.share };

const [NEW_LINE, SPACE, QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('\n "\\,[{');

/**
 * Counts the bytes and JSON values of each line of a model's answer while it arrives, so that no line is parsed that would
 * block the event loop. An answer that begins as JSON counts as one line.
 */
export class AnswerLines {
  private bytes = 0;
  private values = 0;
  private inText = false;
  private escaped = false;
  private isWhole: boolean | undefined;

  constructor(private readonly limits = EVENT_LIMITS) {}

  /** Returns false when a line exceeds the limits; do not read more of the answer then. */
  take(chunk: Uint8Array): boolean {
    for (const byte of chunk) {
      if (byte > SPACE!) this.isWhole ??= byte === BRACKET || byte === BRACE;
      if (byte === NEW_LINE && !this.isWhole) {
        if (this.isTooLong()) return false;
        this.bytes = this.values = 0;
        this.inText = this.escaped = false;
        continue;
      }
      this.bytes++;
      if (this.escaped) this.escaped = false;
      else if (byte === QUOTE) this.inText = !this.inText;
      else if (this.inText) this.escaped = byte === BACKSLASH;
      else if (byte === COMMA || byte === BRACKET || byte === BRACE) this.values++;
    }
    return !this.isTooLong();
  }

  private isTooLong(): boolean {
    return this.bytes > this.limits.bytes || this.values > this.limits.values;
  }
}

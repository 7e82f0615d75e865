import { createParser } from 'eventsource-parser';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { isJsonObject } from '../engine/json.js';
import { AnswerLines, EVENT_LIMITS } from './answer-lines.js';
import { ChatAnswer } from './chat-answer.js';
import { errorIn } from './chat-chunk.js';
import type { ModelEvent } from './language-model.js';
import type { ModelFault } from './model-error.js';

/** Characters of an answer that comes as a whole. */
const MOST_WHOLE = 32 * 1024 * 1024;
/** Bytes of a whole stream. */
const MOST_BYTES = 256 * 1024 * 1024;
const DONE = '[DONE]';

/** An unreadable answer; the caller turns the fault into a sentence. */
export class Unread extends Error {
  constructor(
    readonly fault: ModelFault,
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

/**
 * Reads an answer of OpenAI's chat protocol as its bytes arrive: a stream of events, or a whole answer although a stream
 * was requested. The first character decides, because servers and proxies mislabel both. Reads members without a schema. A
 * chunk that is not JSON ends the answer, because text would be missing. Throws `Unread`.
 */
export class ChatReader {
  /** True at the end of the answer. */
  done = false;
  private readonly answer = new ChatAnswer();
  private readonly decoder = new StringDecoder('utf8');
  private events: ModelEvent[] = [];
  private readonly lines = new AnswerLines({ ...EVENT_LIMITS, bytes: MOST_WHOLE });
  private bytes = 0;
  private form: 'unknown' | 'stream' | 'whole' = 'unknown';
  private whole = '';
  /** The beginning of text outside of the protocol, for the error. */
  private stray = '';
  private fault: Unread | undefined;
  private readonly emit = (event: ModelEvent): void => void this.events.push(event);
  private readonly parser = createParser({
    maxBufferSize: EVENT_LIMITS.bytes,
    onEvent: ({ data }) => this.readEvent(data),
    onError: ({ type, line }) => {
      if (type === 'max-buffer-size-exceeded')
        this.fault ??= new Unread('endless', 'one event of its answer does not end');
      else if (type === 'unknown-field') this.readStray(line ?? '');
    },
  });

  get finished(): boolean {
    return this.answer.finished;
  }

  /** Reads bytes; returns the events that they complete. */
  read(bytes: Buffer): ModelEvent[] {
    this.bytes += bytes.length;
    if (this.bytes > MOST_BYTES || !this.lines.take(bytes))
      throw new Unread('endless', 'its answer does not end');
    this.take(this.decoder.write(bytes));
    return this.taken();
  }

  /** Ends the answer; returns its last events. */
  end(): ModelEvent[] {
    this.take(this.decoder.end());
    if (this.form === 'whole') this.readWhole();
    else if (this.form === 'stream' && !this.done) this.parser.feed('\n\n');
    const rest = this.taken();
    if (!this.done && !this.answer.finished) throw this.unfinished();
    if (!this.answer.any) throw new Unread('empty', this.answer.emptiness);
    this.answer.end(this.emit);
    return [...rest, ...this.taken()];
  }

  private take(text: string): void {
    if (this.form === 'unknown') {
      const first = text.trimStart()[0];
      if (first === undefined) return;
      if (first === '<')
        throw new Unread('unreadable', 'it answered with a web page. Is baseUrl the address of its API?');
      this.form = first === '{' || first === '[' ? 'whole' : 'stream';
    }
    if (this.form === 'whole') {
      this.whole += text;
      if (this.whole.length > MOST_WHOLE) throw new Unread('endless', 'its answer does not end');
    } else if (!this.done && this.fault === undefined) this.parser.feed(text);
  }

  private taken(): ModelEvent[] {
    if (this.fault) throw this.fault;
    const { events: events } = this;
    this.events = [];
    return events;
  }

  private readEvent(data: string): void {
    if (this.done || this.fault || data === '') return;
    if (data === DONE || data.trim() === DONE) this.done = true;
    else this.readChunk(data);
  }

  private readChunk(text: string): void {
    let chunk: unknown;
    try {
      chunk = JSON.parse(text);
    } catch {
      this.fault = new Unread('unreadable', `a part of its answer is not JSON: ${text.slice(0, 200)}`);
      return;
    }
    const error = errorIn(chunk);
    if (error) this.fault = new Unread(faultOf(error), error.message, error.status);
    else if (!isJsonObject(chunk))
      this.fault = new Unread('unreadable', `a part of its answer is not an object: ${text.slice(0, 200)}`);
    else if (!this.answer.read(chunk, this.emit))
      this.fault = new Unread('endless', 'its answer does not end');
  }

  /** Reads a line outside of events; some servers end a stream with an error on a line of its own. */
  private readStray(line: string): void {
    if (this.stray === '') this.stray = line.slice(0, 300);
    if (line.trimStart().startsWith('{') && !this.done && !this.fault) this.readChunk(line);
  }

  private readWhole(): void {
    this.readChunk(this.whole);
    this.done = true;
  }

  private unfinished(): Unread {
    if (this.answer.any) return new Unread('cut_off', 'its answer broke off');
    if (this.stray !== '') return new Unread('unreadable', `it answered with something else: ${this.stray}`);
    return this.bytes === 0
      ? new Unread('empty', 'it answered nothing')
      : new Unread('cut_off', 'its answer broke off');
  }
}

function faultOf({ status, kind, message: message }: NonNullable<ReturnType<typeof errorIn>>): ModelFault {
  if (status === 429 || /rate.?limit/i.test(kind)) return 'rate_limited';
  if (status !== undefined && status < 500 && status !== 408 && status !== 409) return 'rejected';
  if (status !== undefined || /server.?error|overload|unavailable|timeout/i.test(kind)) return 'unavailable';
  return /overloaded|temporarily unavailable/i.test(message) ? 'unavailable' : 'failed';
}

/** Iterates over a body; a reader that stops early must close the body itself. */
export const arriving = (body: Readable): AsyncIterable<Buffer> =>
  ({ [Symbol.asyncIterator]: () => body.iterator({ destroyOnReturn: false }) }) as AsyncIterable<Buffer>;

import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import { declareBudget } from '../budgets/budget.js';

/** Interval of heartbeats, which show readers and proxies that the stream is alive. */
const HEARTBEAT_MS = 15_000;

/** Time without progress after which a reader is `stalled` and nothing needs to be buffered for it. */
const STALLED_MS = 2_000;

/** Time without progress after which a reader is disconnected. */
const PATIENCE_MS = 60_000;

/** Bytes that may be buffered for one reader; beyond that it is disconnected. */
const UNREAD = declareBudget({
  name: 'bytes of an event stream that its client has not read',
  unit: 'bytes',
  owner: 'call',
  share: 1024 * 1024,
  beyond: 'the client is cut off, and may come back for what it missed',
  reason: 'A long answer in small tokens.',
});

export interface StreamKind {
  readonly headers: Readonly<Record<string, string>>;
  /** A frame that readers ignore, if the format has one. */
  readonly heartbeat?: string;
}

/** Server-Sent Events (contract section 3). */
export const EVENTS: StreamKind = {
  headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
  heartbeat: ':heartbeat\n\n',
};

/** One JSON value a line. */
export const LINES: StreamKind = {
  headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'Cache-Control': 'no-store' },
};

/** Returns the frame of an event; its name and data are both in the data line. */
export const eventFrame = (event: string, data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ event, data })}\n\n`;

interface StreamEvents {
  /** The reader has taken everything: more may be written. */
  ready: [];
  /** The reader has taken nothing for two seconds. */
  stalled: [];
  /** The response has closed, read or not. */
  closed: [];
}

/**
 * Writes a streamed response with backpressure; the only place that writes an answer piece by piece. After `write()` has
 * returned false, up to 1 MiB of text is buffered until the socket drains. Producers that can follow the reader's pace
 * check `isBehind` first, or await `taken`.
 */
export class StreamWriter extends EventEmitter<StreamEvents> {
  private behind = false;
  private stalled = false;
  private ending = false;
  private waiting: string[] = [];
  private waitingBytes = 0;
  private readonly beats: NodeJS.Timeout | undefined;
  private stallTimer: NodeJS.Timeout | undefined;
  private patience: NodeJS.Timeout | undefined;

  /**
   * Begins a stream. Returns undefined when nothing can follow: a response that is already closed emits no further
   * `close`, and one to HEAD ends with its headers.
   */
  static begin(response: Response, kind: StreamKind): StreamWriter | undefined {
    if (response.closed) return undefined;
    response.statusCode = 200;
    for (const [name, value] of Object.entries(kind.headers)) response.setHeader(name, value);
    response.setHeader('X-Accel-Buffering', 'no');
    if (response.req.method === 'HEAD') {
      response.end();
      return undefined;
    }
    response.flushHeaders();
    return new StreamWriter(response, kind);
  }

  private constructor(
    private readonly response: Response,
    private readonly kind: StreamKind,
  ) {
    super();
    if (kind.heartbeat !== undefined) this.beats = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
    response.on('drain', () => this.drained());
    response.once('close', () => this.close());
  }

  /** True while the socket's buffer is full. */
  get isBehind(): boolean {
    return this.behind;
  }

  get isStalled(): boolean {
    return this.stalled;
  }

  /** True when nothing more can be written. */
  get isOver(): boolean {
    return this.ending || this.response.destroyed || this.response.writableEnded;
  }

  write(text: string): void {
    if (this.isOver || text === '') return;
    if (!this.behind) this.send(text);
    else if (this.waitingBytes > UNREAD.share) this.cutOff();
    else {
      this.waiting.push(text);
      this.waitingBytes += Buffer.byteLength(text);
    }
  }

  /** Sends a heartbeat to a reader that keeps up, if the format has one. */
  beat(): void {
    if (!this.behind) this.write(this.kind.heartbeat ?? '');
  }

  /** Resolves when the reader has taken everything, or will take nothing more. */
  taken(): Promise<void> {
    if (!this.behind || this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.off('ready', done).off('closed', done);
        resolve();
      };
      this.on('ready', done).on('closed', done);
    });
  }

  /** Ends the stream after the buffered text. */
  end(): void {
    if (this.isOver) return;
    this.ending = true;
    clearInterval(this.beats);
    // A pipelined response that waits behind others has no socket: its reader cannot be slow yet.
    if (this.response.socket) this.startPatience();
    if (this.waiting.length === 0) this.response.end();
  }

  /** Destroys the connection, so that the reader sees that the answer is incomplete. */
  cutOff(): void {
    this.response.destroy();
  }

  private send(text: string): void {
    if (this.response.write(text)) return;
    this.behind = true;
    this.startPatience();
    this.stallTimer = setTimeout(() => {
      this.stalled = true;
      this.emit('stalled');
    }, STALLED_MS);
  }

  private startPatience(): void {
    this.patience ??= setTimeout(() => this.cutOff(), PATIENCE_MS);
  }

  private drained(): void {
    this.stopTimers();
    this.behind = this.stalled = false;
    const text = this.waiting.join('');
    this.waiting = [];
    this.waitingBytes = 0;
    if (text !== '') this.send(text);
    if (this.ending) this.response.end();
    else if (!this.behind) this.emit('ready');
  }

  private stopTimers(): void {
    clearTimeout(this.stallTimer);
    clearTimeout(this.patience);
    this.patience = undefined;
  }

  private close(): void {
    clearInterval(this.beats);
    this.stopTimers();
    this.ending = true;
    this.waiting = [];
    this.emit('closed');
  }
}

import { predictionEvent } from '../../src/api/predictions.js';

/** One event of a stream, with its `id`. */
export interface StreamedEvent {
  id: string;
  event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
}

/** A stream being read: its events so far, and a way to leave it. */
export interface OpenStream {
  status: number;
  headers: Headers;
  events: StreamedEvent[];
  comments: string[];
  /** Resolves when the service closes the stream, or the connection breaks. */
  done: Promise<void>;
  /** Resolves at the first matching event; rejects if the stream ends without one. */
  until(fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent>;
  leave(): void;
}

/** Opens the stream of a run and reads it in the background. Checks each frame by the shape of events. */
export async function openStream(url: string, init: RequestInit = {}): Promise<OpenStream> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  const waiting: {
    fits: (event: StreamedEvent) => boolean;
    resolve: (event: StreamedEvent) => void;
    reject: (error: Error) => void;
  }[] = [];
  let isOver = false;
  const stream: OpenStream = {
    status: response.status,
    headers: response.headers,
    events: [],
    comments: [],
    done: Promise.resolve(),
    until: (fits) => {
      const seen = stream.events.find(fits);
      if (seen) return Promise.resolve(seen);
      if (isOver) return Promise.reject(endedWithout(stream));
      return new Promise((resolve, reject) => waiting.push({ fits, resolve, reject }));
    },
    leave: () => controller.abort(),
  };
  const take = (frame: string) => {
    if (frame.startsWith(':')) return void stream.comments.push(frame.slice(1));
    const [id, data, ...rest] = frame.split('\n');
    if (!id?.startsWith('id: ') || !data?.startsWith('data: ') || rest.length > 0)
      throw new Error(`not a frame: ${JSON.stringify(frame)}`);
    const event = { id: id.slice(4), ...predictionEvent.parse(JSON.parse(data.slice(6))) };
    stream.events.push(event);
    for (const waiter of waiting) if (waiter.fits(event)) waiter.resolve(event);
  };
  stream.done = (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
        rest = frames.pop()!;
        frames.forEach(take);
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
    if (rest !== '' && !controller.signal.aborted) throw new Error('the stream ended within a frame');
  })();
  const over = (): void => {
    isOver = true;
    for (const { reject } of waiting) reject(endedWithout(stream));
  };
  stream.done.then(over, over);
  return stream;
}

const COME_BACK_MS = 60_000;

/**
 * Reconnects as clients do, after a refusal and after a cut, until the stream has ended; returns the events after
 * `lastEventId`.
 */
export async function followToEnd(
  open: (lastEventId: string) => Promise<OpenStream>,
  lastEventId: string,
): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  const until = performance.now() + COME_BACK_MS;
  for (;;) {
    const stream = await open(events.at(-1)?.id ?? lastEventId);
    const isWhole = await stream.done.then(
      () => stream.status === 200,
      () => false,
    );
    if (stream.status === 200) events.push(...stream.events);
    if (isWhole) return events;
    if (performance.now() > until) throw new Error(`the stream never ended; ${stream.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const endedWithout = ({ status, events }: OpenStream): Error =>
  new Error(`the stream ended without the event; ${status}, ${events.length} events`);

export const tokensOf = (events: readonly StreamedEvent[]): string =>
  events
    .filter(({ event }) => event === 'token')
    .map(({ data }) => data as string)
    .join('');

export const dataOf = (events: readonly StreamedEvent[], name: string): unknown[] =>
  events.filter(({ event }) => event === name).map(({ data }) => data as unknown);

import { useEffect, useRef, useState } from 'react';
import { EventReader, type StreamEvent, type WireEvent } from '../../common/event-stream.js';
import { pause } from '../../common/pause.js';
import { ApiError, mayPass, unreachable } from './api-error.js';
import { type CallOptions, type Query, request } from './client.js';

/** `live`: connected. `lost`: reconnecting. `refused`: a retry would not help. */
export type Liveness = 'connecting' | 'live' | 'lost' | 'refused';

/** The service sends a heartbeat every 15 seconds, so a connection silent for this long is dead. */
const SILENCE_MS = 40_000;
const LONGEST_PAUSE_MS = 10_000;

/** Reads one stream to its end. Throws `ApiError` when it is refused or breaks off. */
export async function readEvents<Event extends WireEvent>(
  method: string,
  path: string,
  onEvent: (event: StreamEvent<Event>) => void,
  options: CallOptions & { onOpen?: (response: Response) => void } = {},
): Promise<void> {
  const silence = new AbortController();
  const { signal } = silence;
  const leave = () => silence.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', leave);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    const headers = { ...options.headers, Accept: 'text/event-stream, application/json' };
    const response = await request(method, path, { ...options, headers, signal });
    options.onOpen?.(response);
    alive();
    const reader = new EventReader<Event>();
    for await (const piece of textOf(response)) {
      alive();
      for (const event of reader.read(piece)) onEvent(event);
    }
  } catch (error) {
    if (options.signal?.aborted || error instanceof ApiError) throw error;
    throw unreachable();
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', leave);
    silence.abort();
  }
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/**
 * Follows a live stream until `signal` is aborted, reconnecting when it breaks off. `onLive` receives its state. After
 * every `live` but the first, events may have been missed, so reload.
 */
export async function follow<Event extends WireEvent>(
  path: string,
  query: Query,
  onEvent: (event: StreamEvent<Event>) => void,
  onLive: (liveness: Liveness) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const onOpen = () => {
    failures = 0;
    onLive('live');
  };
  while (!signal.aborted) {
    try {
      await readEvents('GET', path, onEvent, { query, signal, onOpen });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && !mayPass(error)) return onLive('refused');
    }
    if (signal.aborted) return;
    onLive('lost');
    await pause(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures++), signal);
  }
}

/**
 * Follows `path` while the component is mounted; undefined follows nothing. The handlers may change with every render.
 * `onAgain` is called after each reconnect, to reload missed events.
 */
export function useEvents<Event extends WireEvent>(
  path: string | undefined,
  query: Query,
  handlers: { onEvent: (event: StreamEvent<Event>) => void; onAgain?: () => void },
): Liveness {
  const [liveness, setLiveness] = useState<Liveness>('connecting');
  const current = useRef(handlers);
  current.current = handlers;
  const filters = JSON.stringify(query);
  useEffect(() => {
    if (path === undefined) return;
    const end = new AbortController();
    let opened = false;
    const onLive = (now: Liveness) => {
      setLiveness(now);
      if (now === 'live' && opened) current.current.onAgain?.();
      opened ||= now === 'live';
    };
    setLiveness('connecting');
    void follow<Event>(
      path,
      JSON.parse(filters) as Query,
      (event) => current.current.onEvent(event),
      onLive,
      end.signal,
    );
    return () => end.abort();
  }, [path, filters]);
  return liveness;
}

import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ExecutionEvent, ExecutionRecord } from '../../../../src/api/executions.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { pause } from '../../../common/pause.js';
import { mayPass } from '../../api/api-error.js';
import { get } from '../../api/client.js';
import { useEvents } from '../../api/event-source.js';
import type { ExecutionsSearch } from '../../search.js';
import { isListed, merged, passes } from './live-rows.js';

const PAGE = 200;
/** Events are applied in batches, so that a burst renders once. */
const GATHER_MS = 200;
/** With more waiting rows than this, the list is reloaded instead. */
const MOST_WAITING = 1_000;

type Data = InfiniteData<PageOf<ExecutionRecord>, string | undefined>;

const pageOf = (search: ExecutionsSearch, cursor: string | undefined, signal?: AbortSignal) =>
  get<PageOf<ExecutionRecord>>('executions', { query: { ...search, limit: PAGE, cursor }, signal });

/** Live events have no place in a list that is ordered by duration. */
const isOrdered = ({ sort }: ExecutionsSearch): boolean => sort === 'duration';

/** Loads the first page, with retries. */
async function newestOf(search: ExecutionsSearch): Promise<PageOf<ExecutionRecord> | undefined> {
  for (let failures = 0; ; failures++) {
    try {
      return await pageOf(search, undefined);
    } catch (error) {
      if (failures === 3 || !mayPass(error)) return undefined;
      await pause(500 * 2 ** failures);
    }
  }
}

/**
 * Loads the executions that match the filters page by page, and applies live events: a listed record changes in place; a
 * new one is added at the top or, while `holds()` is true because somebody is reading, waits for `admit`.
 */
export function useExecutions(search: ExecutionsSearch, holds: () => boolean) {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState<readonly ExecutionRecord[]>([]);
  /** Rows are missing between the listed and the waiting ones. */
  const gapped = useRef(false);
  const queryKey = useMemo(() => ['executions', 'list', search], [search]);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => pageOf(search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: Infinity,
  });

  const restart = useCallback(() => {
    setWaiting([]);
    gapped.current = false;
    return client.resetQueries({ queryKey, exact: true });
  }, [client, queryKey]);

  const receive = useCallback(
    (records: readonly ExecutionRecord[]) => {
      const data = client.getQueryData<Data>(queryKey);
      if (!data || isOrdered(search)) return;
      const isNew = (record: ExecutionRecord) => !isListed(data.pages, record.id);
      const fresh = records.filter((record) => isNew(record) && passes(record, search));
      const held = holds() ? fresh : [];
      const now = records.filter(
        (record) => !isNew(record) || (fresh.includes(record) && !held.includes(record)),
      );
      if (now.length > 0) client.setQueryData<Data>(queryKey, { ...data, pages: merged(data.pages, now) });
      if (held.length > 0 || records.some((record) => isNew(record)))
        setWaiting((before) => joined(before, held, records));
    },
    [client, queryKey, search, holds],
  );

  /** Catches up on missed events: loads the newest page, and the records that are shown as running. */
  const catchUp = useCallback(async () => {
    const data = client.getQueryData<Data>(queryKey);
    if (!data || isOrdered(search)) return;
    const newest = await newestOf(search);
    if (!newest) return;
    const gap =
      newest.nextCursor !== null &&
      newest.data.length > 0 &&
      !newest.data.some(({ id }) => isListed(data.pages, id));
    if (gap && !holds()) return restart();
    gapped.current ||= gap;
    receive(newest.data);
    const seen = new Set(newest.data.map(({ id }) => id));
    const running = data.pages
      .flatMap((page) => page.data)
      .filter(({ id, status }) => status === 'running' && !seen.has(id));
    for (const { id } of running.slice(0, 20)) {
      const ended = await get<ExecutionRecord>(`executions/${id}`).catch(() => undefined);
      if (ended) receive([ended]);
    }
  }, [client, queryKey, search, holds, receive, restart]);

  useEffect(() => void catchUp(), [catchUp]);
  const liveness = useLive(search, receive, () => void catchUp());

  const admit = useCallback(() => {
    if (waiting.length >= MOST_WAITING || gapped.current) return void restart();
    const data = client.getQueryData<Data>(queryKey);
    if (data) client.setQueryData<Data>(queryKey, { ...data, pages: merged(data.pages, waiting) });
    setWaiting([]);
  }, [client, queryKey, restart, waiting]);

  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  return { query, rows, waiting: waiting.length, admit, liveness };
}

/** Merges new records into the waiting ones, newest first. */
function joined(
  before: readonly ExecutionRecord[],
  fresh: readonly ExecutionRecord[],
  records: readonly ExecutionRecord[],
): readonly ExecutionRecord[] {
  const latest = new Map(records.map((record) => [record.id, record]));
  const known = new Set(before.map(({ id }) => id));
  const updated = before.map((record) => latest.get(record.id) ?? record);
  return [...fresh.filter(({ id }) => !known.has(id)), ...updated].slice(0, MOST_WAITING);
}

/** Follows the stream, unless the time range is in the past or the list is ordered by duration. */
function useLive(
  search: ExecutionsSearch,
  receive: (records: readonly ExecutionRecord[]) => void,
  onAgain: () => void,
) {
  const gathered = useRef<ExecutionRecord[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(receive);
  latest.current = receive;
  useEffect(() => () => clearTimeout(timer.current), []);
  const over = isOrdered(search) || (search.to !== undefined && Date.parse(search.to) < Date.now());
  // Without these filters, the stream also reports records that stop matching.
  const { status: _status, httpStatus: _httpStatus, code: _code, ...others } = search;
  const { minDurationMs: _duration, sort: _sort, ...filters } = others;
  const liveness = useEvents<ExecutionEvent>(over ? undefined : 'executions/stream', filters, {
    onEvent: ({ data }) => {
      gathered.current.push(data);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        latest.current(gathered.current.splice(0));
      }, GATHER_MS);
    },
    onAgain,
  });
  return over ? ('over' as const) : liveness;
}

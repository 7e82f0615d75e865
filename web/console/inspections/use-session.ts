import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { ApiError } from '../api/api-error.js';
import { get, segment } from '../api/client.js';
import { type Liveness, useEvents } from '../api/event-source.js';
import type { Session, SessionSummary } from '../api/types/inspections.js';

/** Photographs come in bursts; the session is read again at most so often. */
const CALM_MS = 700;
/** How soon the first photograph of an inspection that has none yet is seen, whoever sends it. */
const LOOK_MS = 3_000;

export interface SessionReading {
  session: Session | undefined;
  /** Nothing was recorded under this id. */
  missing: boolean;
  error: unknown;
  liveness: Liveness;
  refetch: () => void;
}

/** A session, kept up with while it is shown. Without `flowId` it is the one of this id that changed last. */
export function useSession(sessionId: string, flowId: string | undefined): SessionReading {
  const key = ['inspection', 'session', sessionId, flowId];
  const path = `inspection/sessions/${segment(sessionId)}`;
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<Session>(path, { query: { flowId }, signal }),
    refetchInterval: ({ state }) => (isMissing(state.error) ? LOOK_MS : false),
  });
  const missing = isMissing(error);
  const found = missing ? undefined : data;
  const read = useCalm(() => void refetch());
  const client = useQueryClient();
  const liveness = useEvents(
    found && `${path}/stream`,
    { flowId: found?.flowId },
    {
      onAgain: read,
      onEvent: ({ event, data: summary }) => {
        const known = client.getQueryData<Session>(key);
        if (event !== 'session' || !known || sameSummary(known, summary as SessionSummary)) return;
        client.setQueryData<Session>(key, { ...known, ...(summary as SessionSummary) });
        read();
      },
    },
  );
  return {
    session: found,
    missing,
    error: missing ? undefined : error,
    liveness,
    refetch: () => void refetch(),
  };
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const summaryOf = ({ pending, currentArea, areas, outstandingAreas, corrected }: SessionSummary): string =>
  JSON.stringify([pending, currentArea, areas, outstandingAreas, corrected]);

const sameSummary = (one: SessionSummary, other: SessionSummary): boolean =>
  summaryOf(one) === summaryOf(other);

/** Runs it now, and of what is asked for soon afterwards only the last. */
function useCalm(run: () => void): () => void {
  const current = useRef(run);
  current.current = run;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    const wait = Math.max(0, last.current + CALM_MS - Date.now());
    timer.current = setTimeout(() => {
      last.current = Date.now();
      current.current();
    }, wait);
  }, []);
}

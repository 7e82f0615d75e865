import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { Session, SessionAreas } from '../../../src/api/inspections.js';
import { ApiError } from '../api/api-error.js';
import { get, segment } from '../api/client.js';
import { type Liveness, useEvents } from '../api/event-source.js';

/** The least interval between reloads, since photographs arrive in bursts. */
const CALM_MS = 700;
/** The polling interval while an inspection has no photograph yet. */
const LOOK_MS = 3_000;

export interface SessionReading {
  session: Session | undefined;
  /** Nothing is recorded under this id. */
  missing: boolean;
  error: unknown;
  liveness: Liveness;
  refetch: () => void;
}

/** Loads a session and keeps it up to date. Without `flowId`, loads the last changed session of this id. */
export function useSession(sessionId: string, flowId: string | undefined): SessionReading {
  const key = ['inspection', 'session', sessionId, flowId];
  const path = `inspection/sessions/${segment(sessionId)}`;
  const { data, error, refetch } = useQuery({
    queryKey: key,
    // A missing session is a result, not an error: an error is reset by each reload, which would unmount the page.
    queryFn: ({ signal }) => get<Session>(path, { query: { flowId }, signal }).catch(nullIfMissing),
    refetchInterval: ({ state }) => (state.data === null ? LOOK_MS : false),
  });
  const found = data ?? undefined;
  const read = useCalm(() => void refetch());
  const client = useQueryClient();
  const liveness = useEvents(
    found && `${path}/stream`,
    { flowId: found?.flowId },
    {
      onAgain: read,
      onEvent: ({ event, data: summary }) => {
        const known = client.getQueryData<Session>(key);
        if (event !== 'session' || !known || sameSummary(known, summary as SessionAreas)) return;
        client.setQueryData<Session>(key, { ...known, ...(summary as SessionAreas) });
        read();
      },
    },
  );
  return {
    session: found,
    missing: data === null,
    error,
    liveness,
    refetch: () => void refetch(),
  };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}

const summaryOf = ({ pending, currentArea, areas, outstandingAreas, corrected }: SessionAreas): string =>
  JSON.stringify([pending, currentArea, areas, outstandingAreas, corrected]);

const sameSummary = (one: SessionAreas, other: SessionAreas): boolean => summaryOf(one) === summaryOf(other);

/** Throttles `run`: at once, then at most once per interval. */
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

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { SessionItem } from '../../../../src/api/inspections.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import type { SessionsSearch } from '../../search.js';

const PAGE = 50;
const LOOK_MS = 4_000;
/** Lists with more pages than this are not polled, since the person is reading old sessions. */
const MOST_LIVE_PAGES = 2;

/** Loads the sessions, the last changed first, and polls for new ones. */
export function useSessions({ flowId, q }: SessionsSearch) {
  return useInfiniteQuery({
    queryKey: ['inspection', 'sessions', { flowId, q }],
    queryFn: ({ pageParam, signal }) =>
      get<PageOf<SessionItem>>('inspection/sessions', {
        query: { flowId, q, limit: PAGE, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.status === 'error' || (state.data?.pages.length ?? 0) > MOST_LIVE_PAGES ? false : LOOK_MS,
  });
}

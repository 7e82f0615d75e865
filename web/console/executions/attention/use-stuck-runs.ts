import { useQuery } from '@tanstack/react-query';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import { counted } from '../../parts/words.js';

export const STUCK_AFTER_MINUTES = 10;
const MOST_COUNTED = 100;
const EVERY_MS = 60_000;

/** Loads the runs that began more than ten minutes ago and have not ended; undefined when there are none. */
export function useStuckRuns(): { longest: ExecutionRecord; count: string; until: string } | undefined {
  const { data } = useQuery({
    queryKey: ['executions', 'stuck'],
    queryFn: async ({ signal }) => {
      const until = new Date(Date.now() - STUCK_AFTER_MINUTES * 60_000).toISOString();
      const query = { status: 'running', to: until, limit: MOST_COUNTED };
      return { until, ...(await get<PageOf<ExecutionRecord>>('executions', { query, signal })) };
    },
    refetchInterval: EVERY_MS,
  });
  const longest = data?.data.at(-1);
  if (data === undefined || longest === undefined) return undefined;
  const { length } = data.data;
  const count = data.nextCursor === null ? counted(length, 'run') : `${MOST_COUNTED} runs or more`;
  return { longest, count, until: data.until };
}

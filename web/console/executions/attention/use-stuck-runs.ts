import { useQuery } from '@tanstack/react-query';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import { everyPage } from '../../api/every-page.js';
import { counted } from '../../parts/words.js';

export const STUCK_AFTER_MINUTES = 10;
const EVERY_MS = 60_000;

/** Loads the runs that began more than ten minutes ago and have not ended; undefined when there are none. */
export function useStuckRuns(): { longest: ExecutionRecord; count: string; until: string } | undefined {
  const { data } = useQuery({
    queryKey: ['executions', 'stuck'],
    queryFn: async ({ signal }) => {
      const until = new Date(Date.now() - STUCK_AFTER_MINUTES * 60_000).toISOString();
      const query = { status: 'running', to: until, limit: 200 };
      return { until, runs: await everyPage<ExecutionRecord>('executions', query, signal) };
    },
    refetchInterval: EVERY_MS,
  });
  // The list is newest first.
  const longest = data?.runs.at(-1);
  if (data === undefined || longest === undefined) return undefined;
  return { longest, count: counted(data.runs.length, 'run'), until: data.until };
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ExecutionCharts } from '../../../../src/api/executions.js';
import { get } from '../../api/client.js';
import type { ExecutionsSearch } from '../../search.js';

const EVERY_MS = 15_000;

/** Minutes that the browser's clock is ahead of UTC. */
export const utcOffset = (): number => -new Date().getTimezoneOffset();

/** Loads the statistics of the executions that match the filters, and again every 15 s. */
export function useOutcome(search: ExecutionsSearch) {
  const { q: _q, sort: _sort, ...filters } = search;
  return useQuery({
    queryKey: ['executions', 'stats', filters],
    queryFn: ({ signal }) =>
      get<ExecutionCharts>('executions/stats', {
        query: { ...filters, utcOffset: utcOffset() },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
}

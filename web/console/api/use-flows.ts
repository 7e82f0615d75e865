import { useQuery } from '@tanstack/react-query';
import { everyPage } from './every-page.js';
import type { FlowSummary } from './types/flows.js';

/** Loads every flow, without nodes, once for all pages. `['flows', id]` is the query of one flow. */
export const useFlows = () =>
  useQuery({
    queryKey: ['flows'],
    queryFn: ({ signal }) => everyPage<FlowSummary>('flows', 200, signal),
  });

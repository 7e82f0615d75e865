import { useQuery } from '@tanstack/react-query';
import type { FlowSummary } from '../../../src/api/flows.js';
import { everyPage } from './every-page.js';

/** Loads every flow, without nodes, once for all pages. `['flows', id]` is the query of one flow. */
export const useFlows = (enabled = true) =>
  useQuery({
    queryKey: ['flows'],
    enabled,
    queryFn: ({ signal }) => everyPage<FlowSummary>('flows', { limit: 200 }, signal),
  });

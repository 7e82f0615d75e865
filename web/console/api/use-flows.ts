import { useQuery } from '@tanstack/react-query';
import { everyPage } from './every-page.js';
import type { FlowSummary } from './types/flows.js';

/** Every flow, without nodes. One reading serves all pages; `['flows', id]` is that of one flow. */
export const useFlows = () =>
  useQuery({
    queryKey: ['flows'],
    queryFn: ({ signal }) => everyPage<FlowSummary>('flows', 200, signal),
  });

import { useQuery } from '@tanstack/react-query';
import type { FlowSummary } from '../../../src/api/flows.js';
import { ApiError } from '../api/api-error.js';
import { get, segment } from '../api/client.js';

export interface FlowOfSession {
  name: string;
  /** The flow needs its own key to record photographs and render. */
  keyed: boolean;
}

/** Loads the flow of a session. For a deleted flow, only its id is known. */
export function useFlow(flowId: string | undefined): FlowOfSession | undefined {
  const { data, error } = useQuery({
    queryKey: ['flows', flowId],
    queryFn: ({ signal }) => get<FlowSummary>(`flows/${segment(flowId!)}`, { signal }),
    enabled: flowId !== undefined,
    staleTime: 30_000,
  });
  if (data) return { name: data.name, keyed: data.access.apiKeyId !== null };
  return error instanceof ApiError && error.status === 404 && flowId !== undefined
    ? { name: `${flowId} (deleted)`, keyed: false }
    : undefined;
}

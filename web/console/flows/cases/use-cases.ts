import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { CaseView } from '../../../../src/api/cases.js';
import { segment } from '../../api/client.js';
import { everyPage } from '../../api/every-page.js';

const PAGE = 200;

export const casesPath = (flowId: string): string => `flows/${segment(flowId)}/cases`;

/** Loads all cases of a flow. */
export const useCases = (flowId: string): UseQueryResult<CaseView[]> =>
  useQuery({
    queryKey: ['cases', flowId],
    queryFn: ({ signal }) => everyPage<CaseView>(casesPath(flowId), { limit: PAGE }, signal),
  });

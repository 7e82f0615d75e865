import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CaseRunView, NewCaseRun } from '../../../../src/api/cases.js';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get, post, remove, segment } from '../../api/client.js';
import { casesPath } from './use-cases.js';

const EVERY_MS = 500;
/** Each answer holds all results so far. */
const EVERY_MS_OF_MANY = 3_000;
const MANY = 100;
const PAGE = 200;

/** Returns the pause before a run is read again; false once it has ended. */
export const pauseAfter = (run: CaseRunView | undefined): number | false =>
  run?.status !== 'running' ? false : run.total > MANY ? EVERY_MS_OF_MANY : EVERY_MS;

/** Starts runs of cases and follows the one that the address names. */
export function useCaseRun(flowId: string, runId: string | undefined, show: (runId?: string) => void) {
  const client = useQueryClient();
  const path = `${casesPath(flowId)}/runs/${segment(runId ?? '')}`;
  const run = useQuery({
    queryKey: ['case-runs', flowId, runId],
    queryFn: ({ signal }) => get<CaseRunView>(path, { signal }),
    enabled: runId !== undefined,
    refetchInterval: ({ state: { data } }) => pauseAfter(data),
  });
  const isOver = run.data !== undefined && run.data.status !== 'running';
  useEffect(() => {
    if (isOver) void client.invalidateQueries({ queryKey: ['cases', flowId] });
  }, [client, flowId, isOver]);
  const starting = useMutation({
    mutationFn: (order: NewCaseRun) => post<CaseRunView>(`${casesPath(flowId)}/run`, order),
    onSuccess: (started) => {
      client.setQueryData(['case-runs', flowId, started.id], started);
      show(started.id);
    },
  });
  const stopping = useMutation({ mutationFn: () => remove(path), onSuccess: () => show() });
  return { run, starting, stopping };
}

/** Returns the ids of the latest runs of a flow that can be compared. */
export async function comparable(flowId: string, most: number): Promise<string[]> {
  const ids: string[] = [];
  const query = { flowId, kind: 'prediction', status: 'succeeded', limit: PAGE };
  for (let cursor: string | undefined; ids.length < most;) {
    const { data, nextCursor } = await get<PageOf<ExecutionRecord>>('executions', {
      query: { ...query, cursor },
    });
    for (const { id, replayOf, resumes } of data)
      if (replayOf === undefined && resumes === undefined) ids.push(id);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return ids.slice(0, most);
}

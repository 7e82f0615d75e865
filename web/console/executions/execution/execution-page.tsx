import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import { get, segment } from '../../api/client.js';
import { Page } from '../../parts/page.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { BackToList } from '../list/back-to-list.js';
import { executionKindName } from '../words.js';
import './execution-page.css';
import { ExecutionActions } from './execution-actions.js';
import { ExecutionView } from './execution-view.js';

const route = getRouteApi('/console/executions/$id');

const WHILE_RUNNING_MS = 700;
const WHILE_WAITING_MS = 5_000;

/** One execution: its outcome in a sentence, then node by node. */
export function ExecutionPage() {
  const { id } = route.useParams();
  const query = useQuery({
    queryKey: ['executions', id],
    queryFn: ({ signal }) => get<ExecutionWithTrace>(`executions/${segment(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) => pauseAfter(data?.status),
  });
  const execution = query.data;
  const title = execution ? titleOf(execution) : 'Execution';
  return (
    <Page
      title={title}
      back={<BackToList />}
      actions={execution && <ExecutionActions execution={execution} />}
    >
      <Fetched queries={[query]} label="Loading the execution" lines={8}>
        {execution && <ExecutionView key={execution.id} execution={execution} />}
      </Fetched>
    </Page>
  );
}

const pauseAfter = (status: ExecutionWithTrace['status'] | undefined): number | false => {
  if (status === 'running') return WHILE_RUNNING_MS;
  return status === 'waiting' ? WHILE_WAITING_MS : false;
};

const titleOf = ({ kind, flowName, flowId }: ExecutionWithTrace): string => {
  const flow = flowName ?? flowId;
  return flow === null ? executionKindName(kind) : `${executionKindName(kind)} of ${flow}`;
};

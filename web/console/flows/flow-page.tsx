import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { FlowView } from '../../../src/api/flows.js';
import { ApiError } from '../api/api-error.js';
import { get, segment } from '../api/client.js';
import { Page } from '../parts/page.js';
import { Fetched } from '../parts/waiting/fetched.js';
import { toFlows } from './to-flows.js';
import { Workbench } from './workbench/workbench.js';

const route = getRouteApi('/console/flows/$id');

/** The interval at which changes by others are detected, besides each time the window gets the focus. */
const LOOK_AGAIN_MS = 20_000;

export function FlowPage() {
  const { id } = route.useParams();
  const { node } = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['flows', id],
    queryFn: ({ signal }) => get<FlowView>(`flows/${segment(id)}`, { signal }),
    refetchInterval: ({ state: { error } }) => (isGone(error) ? false : LOOK_AGAIN_MS),
  });
  // Once shown, a flow stays even if it is deleted, since there may be unsaved text.
  if (query.data)
    return (
      <Workbench
        key={id}
        flow={query.data}
        {...(node === undefined ? {} : { node })}
        onDeleted={() => void navigate({ to: '/console/flows', ignoreBlocker: true })}
      />
    );
  return (
    <Page title="Flow" back={toFlows}>
      <Fetched queries={[query]} label="Loading the flow" />
    </Page>
  );
}

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

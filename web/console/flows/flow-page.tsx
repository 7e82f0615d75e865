import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Page } from '../parts/page.js';
import { Fetched } from '../parts/waiting/fetched.js';
import { toFlows } from './to-flows.js';
import { useStoredFlow } from './versions/use-stored-flow.js';
import { Workbench } from './workbench/workbench.js';

const route = getRouteApi('/console/flows/$id');

export function FlowPage() {
  const { id } = route.useParams();
  const { node } = route.useSearch();
  const navigate = useNavigate();
  const { stored, queries } = useStoredFlow(id);
  // Once shown, a flow stays even if it is deleted, since there may be unsaved text.
  if (stored)
    return (
      <Workbench
        key={id}
        stored={stored}
        {...(node === undefined ? {} : { node })}
        onDeleted={() => void navigate({ to: '/console/flows', ignoreBlocker: true })}
      />
    );
  return (
    <Page title="Flow" back={toFlows}>
      <Fetched queries={queries} label="Loading the flow" />
    </Page>
  );
}

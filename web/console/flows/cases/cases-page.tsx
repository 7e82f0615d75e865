import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { FlowView } from '../../../../src/api/flows.js';
import { get, segment } from '../../api/client.js';
import { Page } from '../../parts/page.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { toFlow } from '../to-flow.js';
import { CasesView } from './cases-view.js';
import './cases.css';

const route = getRouteApi('/console/flows/$id/cases');

/** The cases of a flow: tests from real runs. */
export function CasesPage() {
  const { id } = route.useParams();
  const flow = useQuery({
    queryKey: ['flows', id],
    queryFn: ({ signal }) => get<FlowView>(`flows/${segment(id)}`, { signal }),
  });
  return (
    <Page title="Cases" back={toFlow(id, flow.data?.name)}>
      <Fetched queries={[flow]} label="Loading the flow">
        {flow.data && <CasesView key={id} flow={flow.data} />}
      </Fetched>
    </Page>
  );
}

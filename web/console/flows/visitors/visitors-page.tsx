import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { FlowView } from '../../../../src/api/flows.js';
import { get, segment } from '../../api/client.js';
import { Tabs } from '../../parts/actions/tabs.js';
import { Page } from '../../parts/page.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import type { VisitorsTab } from '../../search.js';
import { toFlow } from '../to-flow.js';
import { FeedbackList } from './feedback-list.js';
import { LeadsList } from './leads-list.js';
import './visitors.css';

const route = getRouteApi('/console/flows/$id/visitors');

/** The feedback and contact details that users of a flow have left. */
export function VisitorsPage() {
  const { id } = route.useParams();
  const { tab = 'feedback' } = route.useSearch();
  const navigate = useNavigate({ from: '/console/flows/$id/visitors' });
  const flow = useQuery({
    queryKey: ['flows', id],
    queryFn: ({ signal }) => get<FlowView>(`flows/${segment(id)}`, { signal }),
  });
  return (
    <Page title="Feedback and leads" back={toFlow(id, flow.data?.name)}>
      <Fetched queries={[flow]} label="Loading the flow">
        {flow.data && (
          <Tabs
            label="Feedback and leads"
            selected={tab}
            onSelect={(next) => void navigate({ search: { tab: next as VisitorsTab }, replace: true })}
            tabs={[
              { id: 'feedback', name: 'Feedback', content: <FeedbackList flowId={id} /> },
              { id: 'leads', name: 'Leads', content: <LeadsList flowId={id} /> },
            ]}
          />
        )}
      </Fetched>
    </Page>
  );
}

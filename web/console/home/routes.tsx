import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExecutionRecord } from '../../../src/api/executions.js';
import type { PageOf } from '../../../src/api/shapes.js';
import { get } from '../api/client.js';
import { Page } from '../parts/page.js';
import { Fetched } from '../parts/waiting/fetched.js';
import { FirstReport } from './first-report.js';

/** Shows the guide to the first report if nothing has run yet; otherwise opens the executions. */
export function HomePage() {
  // Decided once, so that the first run does not navigate away from the guide.
  const [opened] = useState(() => Date.now());
  const executions = useQuery({
    queryKey: ['executions', 'any', opened],
    queryFn: ({ signal }) => get<PageOf<ExecutionRecord>>('executions', { query: { limit: 1 }, signal }),
    staleTime: Infinity,
  });
  const { data } = executions;
  // A page chosen in the meantime is still loading.
  const isLeaving = useLocation({ select: ({ pathname }) => !/^\/console\/?$/.test(pathname) });
  if (data && data.data.length > 0 && !isLeaving) return <Navigate to="/console/executions" replace />;
  return (
    <Page title={data ? 'Your first report' : 'Console'}>
      <Fetched queries={[executions]}>{data && <FirstReport />}</Fetched>
    </Page>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExecutionRecord } from '../../../src/api/executions.js';
import type { PageOf } from '../../../src/api/shapes.js';
import { get } from '../api/client.js';
import { Page } from '../parts/page.js';
import { Fetched } from '../parts/waiting/fetched.js';
import { FirstReport } from './first-report.js';

/** Where nothing has run yet: the way to the first report. Else what has run. */
export function HomePage() {
  // Decided once: what is done here must not lead away from here.
  const [opened] = useState(() => Date.now());
  const executions = useQuery({
    queryKey: ['executions', 'any', opened],
    queryFn: ({ signal }) => get<PageOf<ExecutionRecord>>('executions', { query: { limit: 1 }, signal }),
    staleTime: Infinity,
  });
  const { data } = executions;
  if (data && data.data.length > 0) return <Navigate to="/console/executions" replace />;
  return (
    <Page title={data ? 'Your first report' : 'Console'}>
      <Fetched queries={[executions]}>{data && <FirstReport />}</Fetched>
    </Page>
  );
}

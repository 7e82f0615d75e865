import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Session } from '../../../src/api/inspections.js';
import { CopyButton } from '../parts/actions/copy-button.js';
import { LinkButton } from '../parts/actions/link-button.js';
import { Tabs } from '../parts/actions/tabs.js';
import { BackIcon, ImageIcon, ListIcon } from '../parts/icons.js';
import { Page } from '../parts/page.js';
import { EmptyState } from '../parts/waiting/empty-state.js';
import { Loading } from '../parts/waiting/loading.js';
import { Problem } from '../parts/waiting/problem.js';
import type { SessionTab } from '../search.js';
import { AddPanel } from './add/add-panel.js';
import './inspection-page.css';
import { countStanding } from './photographs/area-groups.js';
import { PhotographsView } from './photographs/photographs-view.js';
import { ReportPanel } from './report/report-panel.js';
import { SessionHead } from './session-head.js';
import { useFlow } from './use-flow.js';
import { useReports } from './use-reports.js';
import { type SessionReading, useSession } from './use-session.js';

const route = getRouteApi('/console/inspections/$sessionId');

/** One inspection: its photographs, what is outstanding, uploads and reports. */
export function InspectionPage() {
  const { sessionId } = route.useParams();
  const { flowId } = route.useSearch();
  const reading = useSession(sessionId, flowId);
  const title = reading.session?.title ?? sessionId;
  return (
    <Page
      title={title}
      heading={
        <span className="inspection-heading">
          {title !== sessionId && <span>{title}</span>}
          <span className="inspection-id">{sessionId}</span>
          <CopyButton text={sessionId} label="Copy the session id" />
        </span>
      }
      back={
        <Link to="/console/inspections" className="back">
          <BackIcon />
          Inspections
        </Link>
      }
      actions={
        <LinkButton to="/console/executions" search={{ chatId: sessionId }}>
          <ListIcon /> Executions
        </LinkButton>
      }
    >
      {reading.error !== undefined && reading.error !== null && (
        <Problem error={reading.error} onRetry={reading.refetch} />
      )}
      <Found key={`${flowId} ${sessionId}`} sessionId={sessionId} reading={reading} />
    </Page>
  );
}

/** Shows the session, or how to start one. */
function Found({ sessionId, reading }: { sessionId: string; reading: SessionReading }) {
  const { flowId = reading.session?.flowId } = route.useSearch();
  const { session, missing, error } = reading;
  if (!session && !missing) return error ? null : <Loading label="Loading the inspection" lines={6} />;
  if (flowId === undefined) return <Unknown />;
  return <Inspection key={flowId} sessionId={sessionId} flowId={flowId} reading={reading} />;
}

function Inspection({
  sessionId,
  flowId,
  reading,
}: {
  sessionId: string;
  flowId: string;
  reading: SessionReading;
}) {
  const { session, liveness, refetch } = reading;
  const { tab = session ? 'photographs' : 'add' } = route.useSearch();
  const navigate = useNavigate({ from: '/console/inspections/$sessionId' });
  const flow = useFlow(flowId);
  const reports = useReports(sessionId, session);
  const onTab = (next: SessionTab) =>
    void navigate({ search: { flowId, tab: next }, replace: true, resetScroll: false });
  const place = { sessionId, flowId, flow };
  const panels = {
    photographs: session ? (
      <PhotographsView place={place} session={session} reports={reports.data?.data ?? []} />
    ) : (
      <NothingYet onAdd={() => onTab('add')} />
    ),
    add: <AddPanel place={place} session={session} onRecorded={refetch} onReport={() => onTab('report')} />,
    report: <ReportPanel place={place} session={session} reports={reports} onRendered={refetch} />,
  };
  return (
    <>
      <SessionHead place={place} session={session} liveness={liveness} />
      <Tabs
        label="Inspection"
        selected={tab}
        onSelect={(id) => onTab(id as SessionTab)}
        tabs={[
          { id: 'photographs', name: counted('Photographs', session), content: panels.photographs },
          { id: 'add', name: 'Add', content: panels.add },
          { id: 'report', name: 'Report', content: panels.report },
        ]}
      />
    </>
  );
}

const counted = (name: string, session: Session | undefined) => (
  <>
    {name} <span className="tab-count">{countStanding(session?.photographs ?? [])}</span>
  </>
);

function NothingYet({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState title="No photograph yet" icon={<ImageIcon />}>
      Photographs appear here as they arrive from the chat or the API.{' '}
      <button type="button" className="text-button" onClick={onAdd}>
        Add one from this device
      </button>
      .
    </EmptyState>
  );
}

function Unknown() {
  return (
    <EmptyState
      title="Nothing is recorded under this id"
      icon={<ImageIcon />}
      action={
        <LinkButton to="/console/inspections" search={{ begin: 'yes' }}>
          Start an inspection
        </LinkButton>
      }
    >
      Check the id, or wait. This page refreshes itself.
    </EmptyState>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FlowSummary } from '../../../src/api/flows.js';
import type { Session, SessionItem } from '../../../src/api/inspections.js';
import type { PageOf } from '../../../src/api/shapes.js';
import { get, segment } from '../api/client.js';
import { useFlows } from '../api/use-flows.js';
import { LinkButton } from '../parts/actions/link-button.js';
import { CheckIcon, InspectionIcon } from '../parts/icons.js';
import { EmptyState } from '../parts/waiting/empty-state.js';
import { Loading } from '../parts/waiting/loading.js';
import { Problem } from '../parts/waiting/problem.js';
import { counted } from '../parts/words.js';
import './first-report.css';
import { RenderStep } from './render-step.js';
import { SendStep } from './send-step.js';

const LOOK_MS = 2_000;

/** Returns the flow to try: the sample, or the first public chat that accepts photographs. */
function inspectingFlow(flows: readonly FlowSummary[]): FlowSummary | undefined {
  const takesPhotographs = ({ chat }: FlowSummary) =>
    (chat?.['uploads'] as { isImageUploadAllowed?: unknown } | undefined)?.isImageUploadAllowed === true;
  return (
    flows.find(({ id }) => id === 'inspection-assistant') ??
    flows.find((flow) => takesPhotographs(flow) && flow.access.public && flow.access.apiKeyId === null)
  );
}

/** Guides through the first report in three steps, which can be done here or in the chat. */
export function FirstReport() {
  const flows = useFlows();
  const sessions = useQuery({
    queryKey: ['inspection', 'sessions', 'newest'],
    queryFn: ({ signal }) => get<PageOf<SessionItem>>('inspection/sessions', { query: { limit: 1 }, signal }),
    refetchInterval: LOOK_MS,
  });
  const newest = sessions.data?.data[0];
  const session = useQuery({
    // Keyed by the whole item, since several photographs can arrive in the same instant.
    queryKey: ['inspection', 'session', newest],
    queryFn: ({ signal }) =>
      get<Session>(`inspection/sessions/${segment(newest!.sessionId)}`, {
        query: { flowId: newest!.flowId },
        signal,
      }),
    enabled: newest !== undefined,
    placeholderData: (before) => before,
  });
  if (flows.error) return <Problem error={flows.error} onRetry={() => void flows.refetch()} />;
  if (!flows.data) return <Loading />;
  const flow = inspectingFlow(flows.data);
  if (!flow) return <NoFlow />;
  const arrived = newest !== undefined && newest.photographs > 0;
  const rendered = newest !== undefined && arrived && newest.pending === 0;
  return (
    <>
      <p className="first-lead">
        People photograph a property in a chat, area by area. The service records each photograph with its
        time and creates the finished report. Try it in three steps.
      </p>
      <ol className="first">
        <Step number={1} title="Send photographs" done={arrived}>
          <SendStep flow={flow} onSent={() => void sessions.refetch()} />
        </Step>
        <Step number={2} title="See them arrive" done={arrived}>
          <Arrived session={arrived ? session.data : undefined} />
          {sessions.error && <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />}
        </Step>
        <Step number={3} title="Render the report" done={rendered}>
          <RenderStep item={arrived ? newest : undefined} onRendered={() => void sessions.refetch()} />
        </Step>
      </ol>
    </>
  );
}

function Step({
  number,
  title,
  done,
  children,
}: {
  number: number;
  title: string;
  done: boolean;
  children: ReactNode;
}) {
  return (
    <li className={done ? 'first-step first-done' : 'first-step'}>
      <span className="first-number" aria-hidden="true">
        {done ? <CheckIcon /> : number}
      </span>
      <div className="first-body">
        <h2>
          {title}
          {done && <span className="hidden"> (done)</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}

function Arrived({ session }: { session: Session | undefined }) {
  return (
    <>
      <div role="status">
        {session ? (
          <>
            <p>
              {counted(session.photographs.length, 'photograph')} in {counted(session.areas.length, 'area')}.
            </p>
            <ul className="first-areas">
              {session.areas.slice(0, 12).map(({ area, photographs }) => (
                <li key={area}>
                  {area} <span className="number">{photographs}</span>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p className="first-waiting">Photographs appear here as they arrive. Waiting for the first one…</p>
        )}
      </div>
      {session && (
        <p>
          <Link
            to="/console/inspections/$sessionId"
            params={{ sessionId: session.sessionId }}
            search={{ flowId: session.flowId }}
          >
            Open the inspection
          </Link>
        </p>
      )}
    </>
  );
}

function NoFlow() {
  return (
    <EmptyState
      title="No inspection flow yet"
      icon={<InspectionIcon />}
      action={
        <LinkButton look="primary" to="/console/flows/~new">
          Create a flow
        </LinkButton>
      }
    >
      The samples include one: start the service with SAMPLES=on. Or create a flow with a capture and a render
      node.
    </EmptyState>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ExecutionRecord, ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { SessionItem } from '../../../../src/api/inspections.js';
import type { ReportView } from '../../../../src/api/reports.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { ExternalIcon, InspectionIcon, ReportIcon } from '../../parts/icons.js';
import { StatusTag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { counted } from '../../parts/words.js';
import './related-executions.css';
import { causeOf, executionKindName } from '../words.js';

const BEFORE = 6;
const AFTER = 6;
const LATER = 200;

/** Links to the rest of this chat: the executions around this one, its photographs and its reports. */
export function RelatedExecutions({ execution }: { execution: ExecutionWithTrace }) {
  const { chatId } = execution;
  if (chatId === null) return null;
  return (
    <section className="related" aria-label="The same chat">
      <div className="related-head">
        <h2>The same chat</h2>
        <LinkButton small to="/console/executions" search={{ chatId }}>
          Show the whole chat
        </LinkButton>
      </div>
      <SessionLinks execution={execution} chatId={chatId} />
      <Neighbours execution={execution} chatId={chatId} />
    </section>
  );
}

interface OfChat {
  execution: ExecutionWithTrace;
  chatId: string;
}

/** Links to the inspections of the chat, whose session id is the chat's id. */
function SessionLinks({ execution: { flowId }, chatId }: OfChat) {
  const sessions = useQuery({
    queryKey: ['inspection', 'sessions', 'of', chatId, flowId],
    queryFn: ({ signal }) =>
      get<PageOf<SessionItem>>('inspection/sessions', {
        query: { q: chatId, flowId: flowId ?? undefined, limit: 200 },
        signal,
      }),
    staleTime: 30_000,
  });
  const session = sessions.data?.data.find(({ sessionId }) => sessionId === chatId);
  const reports = useQuery({
    queryKey: ['pdf', 'reports', chatId],
    queryFn: ({ signal }) =>
      get<{ data: ReportView[] }>('pdf/reports', { query: { sessionId: chatId }, signal }),
    enabled: session !== undefined,
    staleTime: 30_000,
  });
  if (!session) return null;
  const { photographs, pending, flowId: sessionFlow } = session;
  return (
    <ul className="related-links">
      <li>
        <Link
          to="/console/inspections/$sessionId"
          params={{ sessionId: chatId }}
          search={{ flowId: sessionFlow }}
        >
          <InspectionIcon />
          {`Inspection: ${counted(photographs, 'photograph')}, ${pending} pending`}
        </Link>
      </li>
      {reports.data?.data.slice(0, 5).map(({ id, url, filename }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noreferrer">
            <ReportIcon />
            {filename}
            <ExternalIcon />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Neighbours({ execution, chatId }: OfChat) {
  const { id, startedAt } = execution;
  const query = useQuery({
    queryKey: ['executions', 'around', id],
    queryFn: async ({ signal }) => {
      const page = (members: object) =>
        get<PageOf<ExecutionRecord>>('executions', { query: { chatId, ...members }, signal });
      const [later, earlier] = await Promise.all([
        page({ from: startedAt, limit: LATER }),
        page({ cursor: id, limit: BEFORE }),
      ]);
      const after = later.data.filter((one) => one.id > id);
      return { after: after.slice(-AFTER), before: earlier.data };
    },
    staleTime: 10_000,
  });
  if (!query.data) return null;
  const { after, before } = query.data;
  if (after.length + before.length === 0)
    return <p className="value-none">There is nothing else in this chat.</p>;
  return (
    <ol className="neighbours">
      {[...after, execution, ...before].map((one) => (
        <li key={one.id}>
          <Neighbour execution={one} isThis={one.id === id} />
        </li>
      ))}
    </ol>
  );
}

function Neighbour({ execution, isThis }: { execution: ExecutionRecord; isThis: boolean }) {
  const { id, kind, status, question, startedAt } = execution;
  const cause = status === 'failed' ? causeOf(execution) : undefined;
  return (
    <Link
      to="/console/executions/$id"
      params={{ id }}
      className="neighbour"
      {...(isThis && { 'aria-current': 'true' as const })}
    >
      <Time at={startedAt} />
      <StatusTag status={status} />
      <span className="neighbour-kind">{executionKindName(kind)}</span>
      <span className="neighbour-words">{cause ?? question ?? ''}</span>
      {isThis && <span className="neighbour-this">this one</span>}
    </Link>
  );
}

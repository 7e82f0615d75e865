import { Link } from '@tanstack/react-router';
import type { SessionItem } from '../../../../src/api/inspections.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Tag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { counted, numberInWords } from '../../parts/words.js';

const MOST_AREAS = 4;

/** The inspections, one per row, with links. */
export function SessionTable({
  rows,
  nameOf,
}: {
  rows: readonly SessionItem[];
  nameOf: (item: SessionItem) => string;
}) {
  const columns: Column<SessionItem>[] = [
    { name: 'Session', cell: (item) => <SessionName item={item} flowName={nameOf(item)} /> },
    { name: 'Areas', cell: ({ areas }) => <Areas areas={areas} /> },
    { name: 'Photographs', kind: 'number', cell: ({ photographs }) => numberInWords(photographs) },
    { name: 'Not in a report', cell: ({ pending }) => <Pending count={pending} /> },
    { name: 'Last activity', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    { name: 'Last report', cell: ({ lastReport }) => <LastReport report={lastReport} /> },
  ];
  return (
    <DataTable
      className="sessions"
      label="Inspections"
      columns={columns}
      rows={rows}
      keyOf={({ flowId, sessionId }) => `${flowId}/${sessionId}`}
      inParts
    />
  );
}

function SessionName({
  item: { sessionId, flowId, ...item },
  flowName,
}: {
  item: SessionItem;
  flowName: string;
}) {
  return (
    <>
      <Link
        to="/console/inspections/$sessionId"
        params={{ sessionId }}
        search={{ flowId }}
        className="sessions-id"
      >
        {item.title ?? sessionId}
      </Link>
      <Known sessionId={sessionId} {...item} />
      <span className="sessions-flow">{flowName}</span>
    </>
  );
}

/** The id, postcode and inspector below an address. */
function Known({ sessionId, title, postcode, inspector }: Omit<SessionItem, 'flowId'>) {
  const known = [title === null ? '' : sessionId, postcode, inspector].filter(Boolean).join(' · ');
  return known === '' ? null : <span className="sessions-flow">{known}</span>;
}

const Pending = ({ count }: { count: number }) =>
  count > 0 ? <Tag tone="warn">{numberInWords(count)} pending</Tag> : <span className="faint">none</span>;

function LastReport({ report }: { report: SessionItem['lastReport'] }) {
  if (report === null) return <span className="faint">none</span>;
  return (
    <>
      <Time at={report.at} />
      <span className="sessions-report" title={report.filename}>
        {report.filename}
      </span>
    </>
  );
}

function Areas({ areas }: { areas: readonly string[] }) {
  if (areas.length === 0) return <span className="faint">none yet</span>;
  const more = areas.length - MOST_AREAS;
  return (
    <span className="sessions-areas" title={areas.slice(0, 60).join(', ')}>
      {areas.slice(0, MOST_AREAS).join(', ')}
      {more > 0 && <span className="faint"> and {counted(more, 'more', 'more')}</span>}
    </span>
  );
}

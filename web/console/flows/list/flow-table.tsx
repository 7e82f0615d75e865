import { Link } from '@tanstack/react-router';
import type { AccessRules, FlowSummary } from '../../../../src/api/flows.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { ChatIcon, ClockIcon, ExternalIcon, KeyIcon } from '../../parts/icons.js';
import { Tag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { counted, durationInWords, numberInWords } from '../../parts/words.js';
import { FlowActions } from './flow-actions.js';

const columns: readonly Column<FlowSummary>[] = [
  { name: 'Flow', cell: (flow) => <FlowName flow={flow} /> },
  { name: 'Who may call it', cell: ({ access }) => <Access access={access} /> },
  { name: 'Price', kind: 'number', cell: (flow) => <Price flow={flow} /> },
  { name: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { name: 'Actions', kind: 'actions', cell: (flow) => <Actions flow={flow} /> },
];

export const FlowTable = ({ flows }: { flows: readonly FlowSummary[] }) => (
  <DataTable className="flows-table" label="Flows" columns={columns} rows={flows} keyOf={({ id }) => id} />
);

function FlowName({ flow }: { flow: FlowSummary }) {
  const { id, name, description = '', draft, enabled, version } = flow;
  return (
    <>
      <Link to="/console/flows/$id" params={{ id }}>
        {name}
      </Link>
      <code>{id}</code>
      {draft && <Tag tone="warn">{`Draft, ahead of version ${version}`}</Tag>}
      {enabled === false && <Tag tone="bad">Switched off</Tag>}
      {description !== '' && <p>{description}</p>}
    </>
  );
}

function Price({ flow: { price, account } }: { flow: FlowSummary }) {
  return (
    <>
      {numberInWords(price)}
      {account !== 'default' && <span className="flows-account">{account}</span>}
    </>
  );
}

function Actions({ flow }: { flow: FlowSummary }) {
  const { id, name, access } = flow;
  return (
    <>
      {access.public && (
        <a
          className="button button-quiet button-small"
          href={`/chat/${encodeURIComponent(id)}`}
          target="_blank"
          rel="noopener"
          aria-label={`Chat page of ${name}`}
        >
          <ChatIcon /> Chat <ExternalIcon />
        </a>
      )}
      <FlowActions flow={flow} small />
    </>
  );
}

function Access({
  access: { apiKeyId, allowedDomains, public: isPublic, rateLimit },
}: {
  access: AccessRules;
}) {
  return (
    <div className="flows-access">
      {apiKeyId === null ? (
        <Tag tone="warn">Open</Tag>
      ) : (
        <Tag tone="good" icon={<KeyIcon />}>
          With its key
        </Tag>
      )}
      {isPublic && <Tag icon={<ChatIcon />}>Share link</Tag>}
      {allowedDomains.length > 0 && (
        <span title={allowedDomains.slice(0, 20).join('\n')}>
          <Tag>{counted(allowedDomains.length, 'domain')}</Tag>
        </span>
      )}
      {rateLimit && (
        <Tag icon={<ClockIcon />}>
          {numberInWords(rateLimit.limit)} in {durationInWords(rateLimit.windowSeconds * 1_000)}
        </Tag>
      )}
    </div>
  );
}

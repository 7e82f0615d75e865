import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKeyView, RateLimitUseView } from '../../../../src/api/access.js';
import type { FlowSummary } from '../../../../src/api/flows.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import { useFlows } from '../../api/use-flows.js';
import { Button } from '../../parts/actions/button.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { SearchField } from '../../parts/entry/search-field.js';
import { FlowIcon } from '../../parts/icons.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { counted, durationInWords } from '../../parts/words.js';
import { Section } from '../section.js';
import { useApiKeys } from '../use-api-keys.js';
import './limits-page.css';
import { AccessDialog } from './access-dialog.js';
import { LimitUses } from './limit-uses.js';

const LOOK_MS = 3_000;
const MANY = 12;

export function LimitsPage() {
  const flows = useFlows();
  const keys = useApiKeys();
  const uses = useQuery({
    queryKey: ['rate-limits'],
    queryFn: ({ signal }) => get<PageOf<RateLimitUseView>>('rate-limits', { query: { limit: 500 }, signal }),
    refetchInterval: LOOK_MS,
  });
  const { edit, domain } = getRouteApi('/console/access/limits').useSearch();
  const navigate = useNavigate({ from: '/console/access/limits' });
  const setEditing = (flow?: FlowSummary) =>
    void navigate({ search: flow ? { edit: flow.id } : {}, replace: true });
  return (
    <Section
      title="Rate limits"
      lead="Who may call each flow, and how many calls it accepts from each caller within a sliding window. Calls over the limit get 429 and do not count."
    >
      <Fetched queries={[flows, keys, uses]} label="Loading the flows">
        {flows.data && keys.data && (
          <FlowList
            flows={flows.data}
            keys={keys.data.data}
            uses={uses.data?.data ?? []}
            onEdit={setEditing}
          />
        )}
      </Fetched>
      <AccessDialog
        flow={flows.data?.find(({ id }) => id === edit)}
        keys={keys.data?.data ?? []}
        domain={domain}
        onClose={() => setEditing(undefined)}
      />
    </Section>
  );
}

function FlowList({
  flows,
  keys,
  uses,
  onEdit,
}: {
  flows: readonly FlowSummary[];
  keys: readonly ApiKeyView[];
  uses: readonly RateLimitUseView[];
  onEdit: (flow: FlowSummary) => void;
}) {
  const [wanted, setWanted] = useState('');
  if (flows.length === 0)
    return (
      <EmptyState
        title="No flow yet"
        icon={<FlowIcon />}
        action={
          <LinkButton look="primary" to="/console/flows/~new">
            Create a flow
          </LinkButton>
        }
      >
        Each flow has its own limit, set here.
      </EmptyState>
    );
  const columns: Column<FlowSummary>[] = [
    { name: 'Flow', cell: (flow) => <FlowName flow={flow} /> },
    { name: 'Limit', cell: ({ access }) => <Limit access={access} /> },
    {
      name: 'Used now',
      cell: ({ id, access }) => (
        <LimitUses uses={access.rateLimit ? uses.filter(({ flowId }) => flowId === id) : []} />
      ),
    },
    { name: 'Who may call', cell: ({ access }) => <Who access={access} keys={keys} /> },
    {
      name: 'Actions',
      kind: 'actions',
      cell: (flow) => (
        <Button small onPress={() => onEdit(flow)} aria-label={`Edit who may call ${flow.name}`}>
          Edit
        </Button>
      ),
    },
  ];
  const text = wanted.trim().toLowerCase();
  const rows = flows.filter(({ id, name }) => `${name}\n${id}`.toLowerCase().includes(text));
  return (
    <>
      {flows.length > MANY && (
        <div className="limits-search">
          <SearchField label="Find a flow" placeholder="Name or id" value={wanted} onChange={setWanted} />
        </div>
      )}
      <DataTable label="Rate limits" columns={columns} rows={rows} keyOf={({ id }) => id} />
      {rows.length === 0 && <p className="faint">No flow matches this name or id.</p>}
    </>
  );
}

function FlowName({ flow: { id, name } }: { flow: FlowSummary }) {
  return (
    <Link to="/console/flows/$id" params={{ id }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

function Limit({ access: { rateLimit } }: Pick<FlowSummary, 'access'>) {
  if (rateLimit === null) return <span className="faint">No limit</span>;
  const { limit, windowSeconds, message } = rateLimit;
  return (
    <>
      {counted(limit, 'call')} in{' '}
      {windowSeconds < 60 ? `${windowSeconds} s` : durationInWords(windowSeconds * 1_000)}
      {message !== undefined && <q className="limit-message">{message}</q>}
    </>
  );
}

function Who({ access, keys }: Pick<FlowSummary, 'access'> & { keys: readonly ApiKeyView[] }) {
  const { apiKeyId, allowedDomains } = access;
  const [first, ...more] = allowedDomains;
  return (
    <ul className="limit-who">
      <li>{apiKeyId === null ? 'Anyone, without a key' : keyName(apiKeyId, keys)}</li>
      {first !== undefined && (
        <li>
          From <bdi>{first}</bdi>
          {more.length > 0 && ` and ${counted(more.length, 'more website')}`}
        </li>
      )}
      {access.public && <li>Public chat page</li>}
    </ul>
  );
}

function keyName(id: string, keys: readonly ApiKeyView[]) {
  const key = keys.find((one) => one.id === id);
  return key ? (
    <>
      Key “<bdi>{key.name}</bdi>”
    </>
  ) : (
    <span className="limit-closed">No one (key revoked)</span>
  );
}

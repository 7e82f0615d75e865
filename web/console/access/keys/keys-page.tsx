import { useState } from 'react';
import type { ApiKeyView } from '../../../../src/api/access.js';
import type { FlowSummary } from '../../../../src/api/flows.js';
import { useFlows } from '../../api/use-flows.js';
import { Button } from '../../parts/actions/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { KeyIcon, PlusIcon } from '../../parts/icons.js';
import { RemovalDialog } from '../../parts/overlay/removal-dialog.js';
import { Time } from '../../parts/values/time.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { Section } from '../section.js';
import { useApiKeys } from '../use-api-keys.js';
import { FlowLinks } from './flow-links.js';
import { NewKeyDialog } from './new-key-dialog.js';

export function KeysPage() {
  const keys = useApiKeys();
  const flows = useFlows();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKeyView>();
  const make = (
    <Button look="primary" icon={<PlusIcon />} onPress={() => setMaking(true)}>
      Create a key
    </Button>
  );
  return (
    <Section
      title="API keys"
      lead={
        <>
          A flow with a key answers only calls that send it as <code>Authorization: Bearer fk_…</code>. A flow
          without a key is open to anyone who knows its id.
        </>
      }
      actions={(keys.data?.data.length ?? 0) > 0 && make}
    >
      <Fetched queries={[keys, flows]} label="Loading the keys">
        {keys.data && <KeyList keys={keys.data.data} flows={flows.data} make={make} onRevoke={setRevoking} />}
      </Fetched>
      <NewKeyDialog isOpen={making} onClose={() => setMaking(false)} />
      <RevokeDialog
        apiKey={revoking}
        flows={flowsWith(revoking, flows.data ?? [])}
        onClose={() => setRevoking(undefined)}
      />
    </Section>
  );
}

const flowsWith = (key: ApiKeyView | undefined, flows: readonly FlowSummary[]): FlowSummary[] =>
  flows.filter(({ access }) => access.apiKeyId !== null && access.apiKeyId === key?.id);

function KeyList({
  keys,
  flows,
  make,
  onRevoke,
}: {
  keys: readonly ApiKeyView[];
  /** Undefined until loaded. */
  flows: readonly FlowSummary[] | undefined;
  make: React.ReactNode;
  onRevoke: (key: ApiKeyView) => void;
}) {
  if (keys.length === 0)
    return (
      <EmptyState title="No API key yet" icon={<KeyIcon />} action={make}>
        Create one for each website or system that calls a flow, so that you can revoke each separately.
      </EmptyState>
    );
  const columns: Column<ApiKeyView>[] = [
    { name: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Flows', cell: (key) => (flows ? <Opened flows={flowsWith(key, flows)} /> : '…') },
    { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className="faint">Never</span> : <Time at={lastUsedAt} />,
    },
    {
      name: 'Actions',
      kind: 'actions',
      cell: (key) => (
        <Button look="danger" small onPress={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
          Revoke
        </Button>
      ),
    },
  ];
  return <DataTable label="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
}

function Opened({ flows }: { flows: readonly FlowSummary[] }) {
  return flows.length === 0 ? <span className="faint">No flow yet</span> : <FlowLinks flows={flows} />;
}

function RevokeDialog({
  apiKey,
  flows,
  onClose,
}: {
  apiKey: ApiKeyView | undefined;
  flows: readonly FlowSummary[];
  onClose: () => void;
}) {
  return (
    <RemovalDialog
      list="api-keys"
      id={apiKey?.id}
      title="Revoke the key?"
      action="Revoke"
      done="Key revoked."
      onClose={onClose}
    >
      <b>
        <bdi>{apiKey?.name}</bdi>
      </b>{' '}
      stops working at once and cannot be restored.{' '}
      {flows.length === 0 ? (
        'No flow uses it.'
      ) : (
        <>
          {flows.length === 1 ? 'This flow is' : 'These flows are'} closed to everyone until you assign{' '}
          {flows.length === 1 ? 'it' : 'them'} another key:{' '}
          {flows
            .slice(0, 12)
            .map(({ name }) => `“${name}”`)
            .join(', ')}
          {flows.length > 12 && ` and ${flows.length - 12} more`}.
        </>
      )}
    </RemovalDialog>
  );
}

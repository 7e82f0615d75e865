import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CredentialView } from '../../../../src/api/credentials.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { CopyButton } from '../../parts/actions/copy-button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { KeyIcon, PlusIcon } from '../../parts/icons.js';
import { RemovalDialog } from '../../parts/overlay/removal-dialog.js';
import { Time } from '../../parts/values/time.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { Section } from '../section.js';
import './credentials-page.css';
import { CredentialDialog } from './credential-dialog.js';
import { kindName } from './credential-form.js';

type Doing = { what: 'add' } | { what: 'replace' | 'delete'; credential: CredentialView };

export function CredentialsPage() {
  const [doing, setDoing] = useState<Doing>();
  const credentials = useQuery({
    queryKey: ['credentials'],
    queryFn: ({ signal }) => get<PageOf<CredentialView>>('credentials', { signal }),
  });
  const add = (
    <Button look="primary" icon={<PlusIcon />} onPress={() => setDoing({ what: 'add' })}>
      Add a credential
    </Button>
  );
  const close = () => setDoing(undefined);
  return (
    <Section
      title="Credentials"
      lead="Secrets that flows use to reach model providers and other services. They are stored encrypted and never shown again. A node refers to one by its id, as credentialId."
      actions={(credentials.data?.data.length ?? 0) > 0 && add}
    >
      <Fetched queries={[credentials]} label="Loading the credentials">
        {credentials.data && <CredentialList credentials={credentials.data.data} add={add} onDo={setDoing} />}
      </Fetched>
      <CredentialDialog
        isOpen={doing?.what === 'add' || doing?.what === 'replace'}
        replaced={doing?.what === 'replace' ? doing.credential : undefined}
        onClose={close}
      />
      <DeleteDialog credential={doing?.what === 'delete' ? doing.credential : undefined} onClose={close} />
    </Section>
  );
}

function CredentialList({
  credentials,
  add,
  onDo,
}: {
  credentials: readonly CredentialView[];
  add: React.ReactNode;
  onDo: (doing: Doing) => void;
}) {
  if (credentials.length === 0)
    return (
      <EmptyState title="No credential yet" icon={<KeyIcon />} action={add}>
        Add a model provider’s key, or the login of an HTTP node.
      </EmptyState>
    );
  const columns: Column<CredentialView>[] = [
    { name: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Kind', cell: ({ kind }) => kindName(kind) },
    { name: 'Id', cell: ({ id, name }) => <Id id={id} name={name} /> },
    { name: 'Last set', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      name: 'Actions',
      kind: 'actions',
      cell: (credential) => (
        <>
          <Button
            small
            onPress={() => onDo({ what: 'replace', credential })}
            aria-label={`Replace ${credential.name}`}
          >
            Replace
          </Button>
          <Button
            look="danger"
            small
            onPress={() => onDo({ what: 'delete', credential })}
            aria-label={`Delete ${credential.name}`}
          >
            Delete
          </Button>
        </>
      ),
    },
  ];
  return <DataTable label="Credentials" columns={columns} rows={credentials} keyOf={({ id }) => id} />;
}

function Id({ id, name }: { id: string; name: string }) {
  return (
    <span className="credential-id">
      <code>{id}</code>
      <CopyButton text={id} label={`Copy the id of ${name}`} />
    </span>
  );
}

function DeleteDialog({
  credential,
  onClose,
}: {
  credential: CredentialView | undefined;
  onClose: () => void;
}) {
  return (
    <RemovalDialog
      list="credentials"
      id={credential?.id}
      title="Delete the credential?"
      action="Delete"
      done="Credential deleted."
      onClose={onClose}
    >
      <b>
        <bdi>{credential?.name}</bdi>
      </b>{' '}
      cannot be restored. Flows that still use it will fail.
    </RemovalDialog>
  );
}

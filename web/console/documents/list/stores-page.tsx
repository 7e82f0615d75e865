import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { DocumentStoreView } from '../../../../src/api/documents.js';
import { MODEL_PROVIDERS } from '../../../../src/api/model-provider-terms.js';
import { Button } from '../../parts/actions/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { DocumentsIcon, PlusIcon } from '../../parts/icons.js';
import { Page } from '../../parts/page.js';
import { Time } from '../../parts/values/time.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { numberInWords } from '../../parts/words.js';
import { StoreDialog } from '../store-dialog.js';
import { useStores } from '../use-stores.js';
import './stores-page.css';

/** Lists the document stores and creates new ones. */
export function StoresPage() {
  const [making, setMaking] = useState(false);
  const stores = useStores();
  const navigate = useNavigate();
  const make = (
    <Button look="primary" icon={<PlusIcon />} onPress={() => setMaking(true)}>
      New store
    </Button>
  );
  const all = stores.data?.data;
  return (
    <Page title="Documents" actions={(all?.length ?? 0) > 0 && make}>
      <p className="stores-lead">
        A store holds documents that flows can search. A <code>retriever</code> node or an agent’s{' '}
        <code>retrieve</code> tool refers to it by its id.
      </p>
      <Fetched queries={[stores]} label="Loading the document stores">
        {all &&
          (all.length > 0 ? (
            <DataTable
              className="stores-table"
              label="Document stores"
              columns={columns}
              rows={all}
              keyOf={({ id }) => id}
            />
          ) : (
            <EmptyState title="No document store yet" icon={<DocumentsIcon />} action={make}>
              Create one, add manuals, price lists or web pages, and try a query.
            </EmptyState>
          ))}
      </Fetched>
      <StoreDialog
        isOpen={making}
        onClose={() => setMaking(false)}
        onMade={({ id }) => void navigate({ to: '/console/documents/$id', params: { id } })}
      />
    </Page>
  );
}

const columns: readonly Column<DocumentStoreView>[] = [
  { name: 'Store', cell: (store) => <Store store={store} /> },
  { name: 'Model', cell: ({ embedding }) => <Model embedding={embedding} /> },
  { name: 'Documents', kind: 'number', cell: ({ documents }) => numberInWords(documents) },
  { name: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

function Store({ store: { id, name } }: { store: DocumentStoreView }) {
  return (
    <>
      <Link to="/console/documents/$id" params={{ id }}>
        <bdi>{name}</bdi>
      </Link>
      <code>{id}</code>
    </>
  );
}

function Model({ embedding: { provider, name } }: Pick<DocumentStoreView, 'embedding'>) {
  const known = Object.hasOwn(MODEL_PROVIDERS, provider) ? MODEL_PROVIDERS[provider].label : provider;
  return (
    <>
      <bdi>{name}</bdi>
      <span className="stores-provider">{known}</span>
    </>
  );
}

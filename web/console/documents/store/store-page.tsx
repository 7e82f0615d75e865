import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { DocumentStoreView } from '../../../../src/api/documents.js';
import { Button } from '../../parts/actions/button.js';
import { CopyButton } from '../../parts/actions/copy-button.js';
import { BackIcon, SettingsIcon, TrashIcon } from '../../parts/icons.js';
import { RemovalDialog } from '../../parts/overlay/removal-dialog.js';
import { Page } from '../../parts/page.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { counted } from '../../parts/words.js';
import { StoreDialog } from '../store-dialog.js';
import { useStores } from '../use-stores.js';
import { AddDocuments } from './add-documents.js';
import { DocumentList } from './document-list.js';
import { QueryBox } from './query-box.js';
import './store-page.css';

const toStores = (
  <Link to="/console/documents" className="back">
    <BackIcon />
    Documents
  </Link>
);

/** One store: its documents with their progress, and a query to try. */
export function StorePage() {
  const { id } = useParams({ from: '/console/documents/$id' });
  const stores = useStores();
  const store = stores.data?.data.find((one) => one.id === id);
  if (store) return <Shown store={store} />;
  return (
    <Page title="Document store" back={toStores}>
      <Fetched queries={[stores]} label="Loading the document store">
        {stores.data && <EmptyState title="Store not found">It may have been deleted.</EmptyState>}
      </Fetched>
    </Page>
  );
}

function Shown({ store }: { store: DocumentStoreView }) {
  const [doing, setDoing] = useState<'settings' | 'delete'>();
  const navigate = useNavigate();
  const close = () => setDoing(undefined);
  const { id, name, embedding, chunk, documents } = store;
  return (
    <Page
      title={name}
      heading={<bdi>{name}</bdi>}
      back={toStores}
      actions={
        <>
          <Button icon={<SettingsIcon />} onPress={() => setDoing('settings')}>
            Edit
          </Button>
          <Button look="danger" icon={<TrashIcon />} onPress={() => setDoing('delete')}>
            Delete
          </Button>
        </>
      }
    >
      <p className="store-facts">
        <span>
          Embedded by <b>{embedding.name}</b>
        </span>
        <span>
          chunks of {counted(chunk.size, 'character')}, overlap {chunk.overlap}
        </span>
        <span className="store-id">
          <code>{id}</code>
          <CopyButton text={id} label="Copy the id of the store" />
        </span>
      </p>
      <div className="store-columns">
        <section className="store-add" aria-label="Add documents">
          <AddDocuments storeId={id} />
        </section>
        <QueryBox storeId={id} />
        <section className="store-documents" aria-label="Documents in the store">
          <DocumentList storeId={id} />
        </section>
      </div>
      <StoreDialog isOpen={doing === 'settings'} store={store} onClose={close} />
      <RemovalDialog
        list="document-stores"
        id={doing === 'delete' ? id : undefined}
        title="Delete the store?"
        action="Delete"
        done="Store deleted."
        onClose={close}
        onRemoved={() => void navigate({ to: '/console/documents' })}
      >
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        and its {counted(documents, 'document')} cannot be restored. Flows that still use it will fail.
      </RemovalDialog>
    </Page>
  );
}

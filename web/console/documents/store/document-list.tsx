import { useState } from 'react';
import type { DocumentView } from '../../../../src/api/documents.js';
import { warningSentences } from '../../../common/warning.js';
import { Button } from '../../parts/actions/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { AlertIcon, CheckIcon, ClockIcon, DocumentsIcon, RunningIcon, TrashIcon } from '../../parts/icons.js';
import { RemovalDialog } from '../../parts/overlay/removal-dialog.js';
import { Tag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { counted, numberInWords } from '../../parts/words.js';
import { documentsOf, isUnderWay, useDocuments } from '../use-stores.js';
import './document-list.css';

/** The documents of a store, newest first, each with its progress. */
export function DocumentList({ storeId }: { storeId: string }) {
  const documents = useDocuments(storeId);
  const [removed, setRemoved] = useState<DocumentView>();
  return (
    <>
      <Fetched queries={[documents]} label="Loading the documents">
        {documents.data && <Listing documents={documents.data} onRemove={setRemoved} />}
      </Fetched>
      <RemovalDialog
        list={documentsOf(storeId)}
        id={removed?.id}
        title="Delete the document?"
        action="Delete"
        done="Document deleted."
        onClose={() => setRemoved(undefined)}
      >
        <b>
          <bdi>{removed?.name}</bdi>
        </b>{' '}
        is no longer found, not even by runs in progress.
      </RemovalDialog>
    </>
  );
}

function Listing({
  documents,
  onRemove,
}: {
  documents: readonly DocumentView[];
  onRemove: (document: DocumentView) => void;
}) {
  if (documents.length === 0)
    return (
      <EmptyState title="No document yet" icon={<DocumentsIcon />}>
        Documents are split into chunks and embedded. They can be searched as soon as they are ready.
      </EmptyState>
    );
  const columns: Column<DocumentView>[] = [
    { name: 'Document', cell: (document) => <Name document={document} /> },
    { name: 'Status', cell: (document) => <Status document={document} /> },
    { name: 'Chunks', kind: 'number', cell: ({ chunks }) => numberInWords(chunks) },
    { name: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'Actions',
      kind: 'actions',
      cell: (document) => (
        <Button
          look="quiet"
          small
          icon={<TrashIcon />}
          label={`Delete ${document.name}`}
          onPress={() => onRemove(document)}
        />
      ),
    },
  ];
  return (
    <>
      <p className="documents-count" role="status">
        {inWords(documents)}
      </p>
      <DataTable
        className="documents-table"
        label="Documents"
        columns={columns}
        rows={documents}
        keyOf={({ id }) => id}
      />
    </>
  );
}

function inWords(documents: readonly DocumentView[]): string {
  const underWay = documents.filter(isUnderWay).length;
  const failed = documents.filter(({ status }) => status === 'failed').length;
  return [
    counted(documents.length, 'document'),
    ...(underWay > 0 ? [`${numberInWords(underWay)} in progress`] : []),
    ...(failed > 0 ? [`${numberInWords(failed)} failed`] : []),
  ].join(', ');
}

function Name({ document: { name, url, warnings } }: { document: DocumentView }) {
  return (
    <>
      <bdi>{name}</bdi>
      {url !== undefined && <span className="documents-url">{url}</span>}
      {warningSentences(warnings).map((sentence) => (
        <span key={sentence} className="documents-warning">
          {sentence}
        </span>
      ))}
    </>
  );
}

function Status({ document: { name, status, progress, error } }: { document: DocumentView }) {
  return (
    <div className="documents-status">
      <StatusWord status={status} />
      {status === 'running' && (
        <progress max={100} value={Math.round(progress * 100)} aria-label={`Embedding ${name}`} />
      )}
      {error !== null && (
        <span className={status === 'failed' ? 'documents-fault' : 'documents-again'}>
          {error}
          {status === 'failed' ? '' : ' It will be retried.'}
        </span>
      )}
    </div>
  );
}

function StatusWord({ status }: Pick<DocumentView, 'status'>) {
  if (status === 'ready')
    return (
      <Tag tone="good" icon={<CheckIcon />}>
        Ready
      </Tag>
    );
  if (status === 'failed')
    return (
      <Tag tone="bad" icon={<AlertIcon />}>
        Failed
      </Tag>
    );
  if (status === 'running')
    return (
      <Tag tone="busy" icon={<RunningIcon />} busy>
        Embedding
      </Tag>
    );
  return <Tag icon={<ClockIcon />}>Waiting</Tag>;
}

import { useQuery } from '@tanstack/react-query';
import { get, segment } from '../api/client.js';
import { everyPage } from '../api/every-page.js';
import type { Credential } from '../api/types/access.js';
import type { DocumentStore, StoredDocument } from '../api/types/documents.js';
import type { Listed } from '../api/types/listed.js';

const LOOK_MS = 1_500;

export const useStores = () =>
  useQuery({
    queryKey: ['document-stores'],
    queryFn: ({ signal }) => get<Listed<DocumentStore>>('document-stores', { signal }),
  });

/** Where the documents of a store stand; also the key of the query that reads them. */
export const documentsOf = (storeId: string): string => `document-stores/${segment(storeId)}/documents`;

/** All documents of a store; looked at again as long as one of them is being made ready. */
export const useDocuments = (storeId: string) =>
  useQuery({
    queryKey: [documentsOf(storeId)],
    queryFn: ({ signal }) => everyPage<StoredDocument>(documentsOf(storeId), 200, signal),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_MS : false),
  });

export const isUnderWay = ({ status }: StoredDocument): boolean =>
  status === 'pending' || status === 'running';

/** Keys of model providers, of the credentials that are kept. */
export const useProviderKeys = () =>
  useQuery({
    queryKey: ['credentials'],
    queryFn: ({ signal }) => get<Listed<Credential>>('credentials', { signal }),
    select: ({ data }) => data.filter(({ kind }) => kind === 'api-key'),
  });

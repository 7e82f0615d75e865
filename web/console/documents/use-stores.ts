import { useQuery } from '@tanstack/react-query';
import type { CredentialView } from '../../../src/api/credentials.js';
import type { DocumentStoreView, DocumentView } from '../../../src/api/documents.js';
import type { PageOf } from '../../../src/api/shapes.js';
import { get, segment } from '../api/client.js';
import { everyPage } from '../api/every-page.js';

const LOOK_MS = 1_500;

export const useStores = () =>
  useQuery({
    queryKey: ['document-stores'],
    queryFn: ({ signal }) => get<PageOf<DocumentStoreView>>('document-stores', { signal }),
  });

/** Returns the API path of a store's documents, which is also the key of their query. */
export const documentsOf = (storeId: string): string => `document-stores/${segment(storeId)}/documents`;

/** Loads all documents of a store, and polls while any is in progress. */
export const useDocuments = (storeId: string) =>
  useQuery({
    queryKey: [documentsOf(storeId)],
    queryFn: ({ signal }) => everyPage<DocumentView>(documentsOf(storeId), { limit: 200 }, signal),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_MS : false),
  });

export const isUnderWay = ({ status }: DocumentView): boolean => status === 'pending' || status === 'running';

/** Loads the credentials that are keys of model providers. */
export const useProviderKeys = () =>
  useQuery({
    queryKey: ['credentials'],
    queryFn: ({ signal }) => get<PageOf<CredentialView>>('credentials', { signal }),
    select: ({ data }) => data.filter(({ kind }) => kind === 'api-key'),
  });

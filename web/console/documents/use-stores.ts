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

/** Where the documents of a store stand; also the key of the query that reads them. */
export const documentsOf = (storeId: string): string => `document-stores/${segment(storeId)}/documents`;

/** All documents of a store; looked at again as long as one of them is being made ready. */
export const useDocuments = (storeId: string) =>
  useQuery({
    queryKey: [documentsOf(storeId)],
    queryFn: ({ signal }) => everyPage<DocumentView>(documentsOf(storeId), 200, signal),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_MS : false),
  });

export const isUnderWay = ({ status }: DocumentView): boolean => status === 'pending' || status === 'running';

/** Keys of model providers, of the credentials that are kept. */
export const useProviderKeys = () =>
  useQuery({
    queryKey: ['credentials'],
    queryFn: ({ signal }) => get<PageOf<CredentialView>>('credentials', { signal }),
    select: ({ data }) => data.filter(({ kind }) => kind === 'api-key'),
  });

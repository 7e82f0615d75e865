import { useQuery } from '@tanstack/react-query';
import type { ApiKeyView } from '../../../src/api/access.js';
import type { PageOf } from '../../../src/api/shapes.js';
import { get } from '../api/client.js';

export const useApiKeys = () =>
  useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => get<PageOf<ApiKeyView>>('api-keys', { signal }),
  });

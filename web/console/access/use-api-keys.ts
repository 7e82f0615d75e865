import { useQuery } from '@tanstack/react-query';
import { get } from '../api/client.js';
import type { ApiKey } from '../api/types/access.js';
import type { Listed } from '../api/types/listed.js';

export const useApiKeys = () =>
  useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => get<Listed<ApiKey>>('api-keys', { signal }),
  });

import { QueryClient } from '@tanstack/react-query';
import { mayPass } from './api-error.js';

/** Shows cached data at once and refetches in the background. Retries only temporary failures. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && mayPass(error),
      retryDelay: (failures) => Math.min(4_000, 500 * 2 ** failures),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

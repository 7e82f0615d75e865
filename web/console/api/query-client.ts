import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

/** Whether the same call may succeed when it is made again. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** What was read is shown at once and read again behind it; only failures that may pass are tried again. */
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

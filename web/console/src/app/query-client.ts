/** Caching and retries of all reads. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

const retriesMax = 2;
/** What another try may mend: the service is busy, or it is building what was asked for. */
const passing = new Set([429, 503, 504]);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < retriesMax && (!(error instanceof ApiError) || passing.has(error.status)),
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfterS !== null
          ? Math.min(error.retryAfterS, 15) * 1000
          : 500 * 2 ** failures,
    },
    mutations: { retry: false },
  },
});

/** Caching and retries for all reads. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

const retriesMax = 2;
/** Errors that a retry may resolve: the service is busy, or still building what was requested. */
const passing = new Set([429, 503, 504]);

/** Whether a failed read is repeated. `failures`: number of failures before this one. */
export const isRetried = (failures: number, error: Error): boolean =>
  failures < retriesMax && (!(error instanceof ApiError) || passing.has(error.status));

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: isRetried,
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfterS !== null
          ? Math.min(error.retryAfterS, 15) * 1000
          : 500 * 2 ** failures,
    },
    mutations: { retry: false },
  },
});

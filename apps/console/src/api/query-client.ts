import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors.ts';

/** True for failures worth an automatic retry: no response, or the server reported that it is busy. */
function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503);
}

/** The cache of responses, with the rules by which calls are repeated. */
export function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // 'always': without a network a call fails with an error instead of waiting silently.
      queries: {
        staleTime: 5000,
        retry: (count, error) => count < 2 && isPassing(error),
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

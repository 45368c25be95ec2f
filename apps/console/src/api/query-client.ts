import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors.ts';

/** A server that is busy for so long must not get the call again without a person. */
const LONG_SECONDS = 30;

/** True for failures worth an automatic retry: no response, or the server reported that it is busy for a moment. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || (error.status === 503 && (error.retryAfter ?? 0) < LONG_SECONDS);
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

import { expect, test } from 'vitest';
import { ApiError } from './errors.ts';
import { createClient } from './query-client.ts';

test('API-02-partial a call is repeated where the server is busy for a moment, not where PostgreSQL could not finish it', async () => {
  const callsUntil = async (retryAfter: number | undefined) => {
    let calls = 0;
    const queryFn = () => {
      calls += 1;
      throw new ApiError({ status: 503, message: 'Busy', retryAfter });
    };
    const client = createClient();
    await client
      .fetchQuery({ queryKey: [retryAfter], queryFn, retry: client.getDefaultOptions().queries!.retry!, retryDelay: 0 })
      .catch(() => {});
    return calls;
  };
  expect(await Promise.all([undefined, 2, 30].map(callsUntil))).toEqual([3, 3, 1]);
});

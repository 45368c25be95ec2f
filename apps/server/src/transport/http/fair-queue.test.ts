import { expect, test } from 'vitest';
import { FairQueue, type FairLimits, type Party } from './fair-queue.ts';

const limits: FairLimits = {
  total: 3,
  ofTenant: 2,
  ofAccount: 1,
  waiting: 6,
  waitingOfTenant: 4,
  waitingOfAccount: 2,
  waitMs: 60_000,
};
const party = (tenant: string, account = `${tenant}-1`): Party => ({ tenant, account });

/** Calls that end when the test resolves them. */
function createCalls(queue: FairQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const outcomes = new Map<string, string>();
  return {
    begun,
    outcomes,
    call(name: string, by: Party) {
      void queue
        .run(by, async () => {
          begun.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
        })
        .then(
          () => outcomes.set(name, 'done'),
          (error: unknown) => outcomes.set(name, (error as { key: string }).key),
        );
    },
    end: (name: string) => ends.get(name)!(),
    idle: () => new Promise<void>((resolve) => void setImmediate(resolve)),
  };
}

test('one account, and one tenant, has only its share; another tenant starts at once', async () => {
  const calls = createCalls(new FairQueue(limits));
  calls.call('b1', party('b', 'b-1'));
  calls.call('b1 again', party('b', 'b-1'));
  calls.call('b2', party('b', 'b-2'));
  calls.call('b3', party('b', 'b-3'));
  calls.call('a', party('a'));
  await calls.idle();
  expect(calls.begun).toEqual(['b1', 'b2', 'a']);
  calls.end('a');
  await calls.idle();
  expect(calls.begun).toEqual(['b1', 'b2', 'a']);
  calls.end('b1');
  await calls.idle();
  expect(calls.begun).toEqual(['b1', 'b2', 'a', 'b1 again']);
});

test('of the waiting calls, the tenant with the fewest running calls is next', async () => {
  const calls = createCalls(new FairQueue({ ...limits, total: 2, ofAccount: 2 }));
  calls.call('b1', party('b'));
  calls.call('c1', party('c'));
  calls.call('b2', party('b'));
  calls.call('a1', party('a'));
  await calls.idle();
  calls.end('c1');
  await calls.idle();
  expect(calls.begun).toEqual(['b1', 'c1', 'a1']);
});

test('too many waiting calls are rejected: for their own calls with 429, for the calls of others with 503', async () => {
  const calls = createCalls(new FairQueue({ ...limits, waiting: 3 }));
  for (let index = 0; index < 4; index++) calls.call(`b${index}`, party('b', 'b-1'));
  await calls.idle();
  expect(calls.outcomes).toEqual(new Map([['b3', 'request.too_many']]));
  for (const tenant of ['c', 'd', 'e', 'f']) calls.call(tenant, party(tenant));
  await calls.idle();
  expect(calls.begun).toEqual(['b0', 'c', 'd']);
  expect(calls.outcomes.get('f')).toBe('server.busy');
});

test('the wait is bounded, and an abandoned call leaves no trace in the queue', async () => {
  const calls = createCalls(new FairQueue({ ...limits, waitMs: 5 }));
  for (const name of ['b0', 'b1', 'b2']) calls.call(name, party('b', 'b-1'));
  await expect.poll(() => calls.outcomes.get('b2')).toBe('request.too_many');
  expect(calls.outcomes.get('b1')).toBe('request.too_many');
  calls.end('b0');
  await expect.poll(() => calls.outcomes.get('b0')).toBe('done');
  calls.call('b4', party('b', 'b-1'));
  await calls.idle();
  expect(calls.begun).toEqual(['b0', 'b4']);
});

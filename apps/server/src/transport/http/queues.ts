import type { QueueName } from '@highline/contract';
import type { Actor } from '../../kernel/scope.ts';
import { FairQueue, type FairLimits, type Party } from './fair-queue.ts';

/** Queues of calls, and of related resources: `uploads` being spooled, `lists` being streamed, `readers` of such lists. */
export type Queues = Readonly<Record<Exclude<QueueName, 'none'> | 'uploads' | 'lists' | 'readers', FairQueue>>;

/**
 * Concurrent work per account and tenant. The totals of `questions`, `replays` and `lists` stay within the connections that `listing/` takes
 * from the pool; waits end before proxies and browsers time out.
 */
const usualLimits = {
  /** Uploads being spooled: none waits, since it would keep its connection and send nothing. */
  uploads: { total: 32, ofTenant: 12, ofAccount: 6, waiting: 0, waitingOfTenant: 0, waitingOfAccount: 0, waitMs: 0 },
  /** Each takes seconds of CPU and tens of megabytes. */
  imports: { total: 2, ofTenant: 1, ofAccount: 1, waiting: 24, waitingOfTenant: 4, waitingOfAccount: 2, waitMs: 30_000 },
  /** A page of charts sends a dozen at once. */
  questions: { total: 3, ofTenant: 2, ofAccount: 2, waiting: 300, waitingOfTenant: 90, waitingOfAccount: 40, waitMs: 45_000 },
  /** Each reads days of history of all vehicles. */
  replays: { total: 2, ofTenant: 1, ofAccount: 1, waiting: 40, waitingOfTenant: 4, waitingOfAccount: 2, waitMs: 20_000 },
  /** Each waits for a receiver for up to ten seconds. */
  tests: { total: 8, ofTenant: 2, ofAccount: 2, waiting: 64, waitingOfTenant: 4, waitingOfAccount: 2, waitMs: 15_000 },
  lists: { total: 5, ofTenant: 2, ofAccount: 2, waiting: 300, waitingOfTenant: 60, waitingOfAccount: 30, waitMs: 45_000 },
  /** Open lists, including those with slow readers: each holds at most a file. */
  readers: { total: 400, ofTenant: 24, ofAccount: 12, waiting: 0, waitingOfTenant: 0, waitingOfAccount: 0, waitMs: 0 },
} as const satisfies Record<keyof Queues, FairLimits>;

export function createQueues(): Queues {
  const { uploads, imports, questions, replays, tests, lists, readers } = usualLimits;
  return {
    uploads: new FairQueue(uploads),
    imports: new FairQueue(imports),
    questions: new FairQueue(questions),
    replays: new FairQueue(replays),
    tests: new FairQueue(tests),
    lists: new FairQueue(lists),
    readers: new FairQueue(readers),
  };
}

/** The tenant and account that an actor's calls count for. */
export function partyOf({ accountId, organizationId, mainAccountId, key }: Actor): Party {
  return { account: key?.id ?? accountId, tenant: organizationId ?? mainAccountId };
}

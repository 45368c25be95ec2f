import { DomainError } from '../../kernel/failure.ts';

/** Runs expensive work a few at a time. */
export interface HashingQueue {
  /** @throws DomainError `server.busy` when too many already wait */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** At most `atOnce` tasks run; at most `maxWaiting` more wait, first come, first served. */
export function createHashingQueue(atOnce: number, maxWaiting: number): HashingQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  const take = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw new DomainError('server.busy', { retryAfter: 5 });
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  };

  const give = (): void => {
    const next = waiting.shift();
    // The slot is passed on, not released: a task that arrives now must not overtake those that wait.
    if (next === undefined) running -= 1;
    else next();
  };

  return {
    async run(work) {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}

import { DomainError } from '../../failure.ts';

/** Runs costly work a few at a time. */
export interface Turns {
  /** @throws DomainError `server.busy` when too many wait already */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** At most `atOnce` works run; at most `maxWaiting` more wait for their turn, first come, first served. */
export function createTurns(atOnce: number, maxWaiting: number): Turns {
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
    // Handed over, not given back: nobody who comes in between may slip past those who wait.
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

export type Turns = ReturnType<typeof createTurns>;

/** A first-come, first-served semaphore. */
export function createTurns(atOnce: number) {
  let free = atOnce;
  const queue: (() => void)[] = [];
  return {
    waiting: () => queue.length,
    async take(): Promise<void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
    },
    give(): void {
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}

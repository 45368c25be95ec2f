export type Semaphore = ReturnType<typeof createSemaphore>;

/** A first-come, first-served semaphore. */
export function createSemaphore(atOnce: number) {
  let free = atOnce;
  const queue: (() => void)[] = [];
  return {
    waiting: () => queue.length,
    async acquire(): Promise<void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
    },
    release(): void {
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}

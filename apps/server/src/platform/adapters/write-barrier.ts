import type { Database } from '../ports/index.ts';

/**
 * Follow the writes of this process.
 * @returns the database, and `writesEnded`, which waits until every write that has begun before it has ended
 */
export function followWrites(database: Database): { readonly database: Database; writesEnded(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  return {
    database: {
      ...database,
      write(work) {
        const write = database.write(work);
        running.add(write);
        const ended = () => void running.delete(write);
        write.then(ended, ended);
        return write;
      },
    },
    async writesEnded() {
      await Promise.allSettled(running);
    },
  };
}

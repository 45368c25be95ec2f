import { sql } from 'kysely';
import type { Database } from '../ports/database.ts';

// No scope: these are the jobs of the installation.

/** Whether a process may run a job now, or when it is due again. */
export type Claim =
  | { readonly isMine: true }
  | { readonly isMine: false; readonly dueInMs: number; readonly succeededAt: number };

/** The runs of jobs that one process does for all. */
export interface SharedJobs {
  /** Claim the run of an interval. Of the processes that ask at once, one gets it. */
  claim(name: string, everyMs: number): Promise<Claim>;
  /** How a claimed run ended; after a failure, the next process to ask gets it. */
  end(name: string, isSuccess: boolean): Promise<void>;
}

/** Shared jobs by a table: times are those of PostgreSQL, which all processes have in common. */
export function createSharedJobs({ read, write }: Pick<Database, 'read' | 'write'>): SharedJobs {
  return {
    async claim(name, everyMs) {
      const every = sql`${everyMs} * interval '1 millisecond'`;
      const isMine = await write(async (tx) => {
        // A time that is further away than two intervals is of a clock that was set back since; what another process has just claimed is up to one away.
        const { rows } = await sql`insert into shared_jobs as j (name, due_at) values (${name}, clock_timestamp() + ${every})
          on conflict (name) do update set due_at = excluded.due_at
          where j.due_at <= clock_timestamp() or j.due_at > excluded.due_at + ${every} returning 1`.execute(tx);
        return rows.length > 0;
      });
      if (isMine) return { isMine };
      const { rows } = await sql<{ due: number; succeeded: number }>`
        select greatest(extract(epoch from due_at - clock_timestamp()) * 1000, 0)::float8 as due,
          coalesce(extract(epoch from succeeded_at), 0)::float8 as succeeded
        from shared_jobs where name = ${name}`.execute(read);
      return { isMine, dueInMs: rows[0]?.due ?? 0, succeededAt: rows[0]?.succeeded ?? 0 };
    },
    async end(name, isSuccess) {
      const change = isSuccess ? sql`succeeded_at = clock_timestamp()` : sql`due_at = clock_timestamp()`;
      await write((tx) => sql`update shared_jobs set ${change} where name = ${name}`.execute(tx));
    },
  };
}

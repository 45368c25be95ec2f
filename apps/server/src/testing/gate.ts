import type { Client } from 'pg';

/** Holds transactions in the middle: while it is closed, each one that writes such a row waits. */
export interface Gate {
  close(): Promise<void>;
  open(): Promise<void>;
  /** Whether a transaction waits at it. */
  isAwaited(): Promise<boolean>;
}

/** A number that no other lock uses; one gate in each database. */
const GATE_LOCK = 4711;

/** @param writes such as `insert or update on alerts`, one or several @param when the rows that it concerns */
export async function createGate(owner: Client, writes: string | readonly string[], when = 'true'): Promise<Gate> {
  await owner.query(`
    create function await_gate() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${GATE_LOCK});
      return new;
    end $$`);
  for (const each of [writes].flat())
    await owner.query(`create trigger await_gate before ${each} for each row when (${when}) execute function await_gate()`);
  return {
    async close() {
      await owner.query('select pg_advisory_lock($1)', [GATE_LOCK]);
    },
    async open() {
      await owner.query('select pg_advisory_unlock_all()');
    },
    async isAwaited() {
      const { rows } = await owner.query(
        "select 1 from pg_locks where locktype = 'advisory' and objid = $1 and database = (select oid from pg_database where datname = current_database()) and not granted",
        [GATE_LOCK],
      );
      return rows.length > 0;
    },
  };
}

import type { ColumnType, Generated, Selectable } from 'kysely';

// `timestamptz` is a Date, `date` an ISO day, `bigint` a number below 2^53.

export type Stamp = ColumnType<Date, Date | undefined, Date>;
export type NullableStamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
export type Json<T> = ColumnType<T, string | undefined, string>;

/** Columns that describe the connection of a router; `routers` and `devices` both have them. */
export interface PresenceColumns {
  presence: Generated<'online' | 'offline' | 'unknown'>;
  presence_since: NullableStamp;
  presence_reason: string | null;
}

interface InstallationTable {
  key: string;
  value: ColumnType<unknown, string, string>;
}

interface OutboxTable {
  xid: ColumnType<string, never, never>;
  position: ColumnType<number, never, never>;
  main_account_id: string | null;
  organization_id: string | null;
  topic: string;
  ids: string[];
  created_at: Stamp;
}

/** Last write of each process, so that /healthz detects failing writes. */
interface WriteProbesTable {
  process: string;
  at: Date;
}

/** Every table of migrations/. Each domain adds those that it owns in its `.tables.ts`; here stand those of the platform. */
export interface Tables {
  installation: InstallationTable;
  outbox: OutboxTable;
  write_probes: WriteProbesTable;
}

/** These columns of a table, as a query reads them. */
export type Row<Table extends keyof Tables, Column extends keyof Selectable<Tables[Table]>> = Pick<
  Selectable<Tables[Table]>,
  Column
>;

import type { NullableStamp, Stamp } from '../ports/tables.ts';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../ports/tables.ts' {
  interface Tables {
    nodes: NodesTable;
  }
}

interface NodesTable {
  /** One start of a process. */
  id: string;
  /** The same after a restart. */
  name: string;
  version: string;
  /** Its name for people; null = its version knows none. */
  host: string | null;
  /** Routers that are connected to it; null = its version does not say it. */
  routers: number | null;
  /** It was given a bus; null = its version knows none. */
  has_bus: boolean | null;
  /** Check values of the master keys that it knows; null = its version cannot tell, or it has just started. */
  known_keys: readonly string[] | null;
  /** Check value of the one that it seals with. */
  sealing_key: string | null;
  started_at: Stamp;
  lease_until: Date;
  ended_at: NullableStamp;
}

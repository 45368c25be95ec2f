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
  started_at: Stamp;
  lease_until: Date;
  ended_at: NullableStamp;
}

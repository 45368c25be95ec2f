import type { ColumnType } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

/** A position as it is stored. */
interface StoredPosition {
  router_id: string;
  at: Date;
  /** Degrees, WGS 84. */
  latitude: number;
  longitude: number;
  /** Metres. */
  accuracy: number | null;
  /** Kilometres per hour. */
  speed: number | null;
  /** Degrees from north. */
  heading: number | null;
  is_jump: boolean;
}

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    positions: StoredPosition;
    router_positions: StoredPosition & { stored_at: ColumnType<Date> };
    position_faults: {
      router_id: string;
      reason: string;
      since: Date;
      last_at: Date;
      count: ColumnType<string>;
      received: string | null;
    };
  }
}

import type { ColumnType } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    audit_entries: {
      chain_id: string;
      seq: number;
      at: Date;
      actor_id: string | null;
      actor_email: string;
      actor_role: string;
      actor_key: string | null;
      address: string;
      action: string;
      /** Key and parameters; null for entries of versions before it. */
      sentence: ColumnType<unknown, string | null, never>;
      subject_kind: string;
      subject_id: string;
      detail: ColumnType<unknown, string, never>;
      previous_hash: Buffer;
      hash: Buffer;
    };
    audit_heads: {
      chain_id: string;
      seq: number;
      hash: Buffer;
    };
    audit_cuts: {
      chain_id: string;
      seq: number;
      hash: Buffer;
      at: Date;
      signature: string;
    };
    audit_devices: {
      chain_id: string;
      seq: number;
      device_id: string;
      at: Date;
    };
  }
}

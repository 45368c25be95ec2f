// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../ports/tables.ts' {
  interface Tables {
    idempotent_calls: {
      owner_id: string;
      key: string;
      operation: string;
      request_hash: Buffer;
      started_at: Stamp;
      leased_until: Stamp;
      applied_at: NullableStamp;
      status: number | null;
      /** Always null: of programs before migration 0190. */
      answer: string | null;
      sealed_answer: Buffer | null;
    };
  }
}

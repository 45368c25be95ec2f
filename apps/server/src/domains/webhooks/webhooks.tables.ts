import type { webhooks } from '@highline/contract';
import type { ColumnType, Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    webhook_endpoints: {
      id: string;
      main_account_id: string;
      /** Null: the main account and all of its organizations. */
      organization_id: string | null;
      name: string;
      url: string;
      format: webhooks.WebhookFormat;
      event_types: string[];
      group_keys: string[] | null;
      tags: string[] | null;
      is_enabled: boolean;
      sealed_secret: Buffer;
      previous_secret: Buffer | null;
      previous_until: NullableStamp;
      created_by_email: string;
      created_at: Stamp;
      updated_at: Stamp;
      version: Generated<number>;
      failing_since: NullableStamp;
      suspended_at: NullableStamp;
      suspended_by: string | null;
    };
    /** Most rows are written by triggers of the tables in which events happen. */
    webhook_deliveries: {
      id: Generated<string>;
      /** As text: it is larger than a number can be. */
      position: ColumnType<string, never, never>;
      endpoint_id: string;
      organization_id: string | null;
      device_id: string | null;
      type: string;
      key: string | null;
      happened_at: Stamp;
      data: Json<Record<string, unknown>>;
      state: Generated<webhooks.DeliveryState>;
      attempts: Generated<number>;
      attempts_before: Generated<number>;
      next_at: NullableStamp;
      tries: Json<Attempt[]>;
      created_at: Generated<Date>;
    };
  }
}

/** One call of an endpoint. */
export interface Attempt {
  /** ISO 8601. */
  readonly at: string;
  /** Milliseconds. */
  readonly took: number;
  /** Null = there was no answer. */
  readonly status: number | null;
  /** Empty = it succeeded. */
  readonly error: string;
  /** Its first 4 KB. */
  readonly answer: string;
}

import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    routers: PresenceColumns & {
      id: string;
      main_account_id: string;
      serial: string;
      mac: string;
      model: Generated<string>;
      endpoint_id: string;
      authentication: Generated<'secret' | 'certificate' | 'either' | 'both'>;
      secret_hash: Buffer;
      previous_secret_hash: Buffer | null;
      previous_secret_until: NullableStamp;
      organization_id: string | null;
      device_id: string | null;
      clock_skew_ms: number | null;
      reported: Json<Record<string, unknown>>;
      /** The node with its socket; null = no node has one. */
      held_by: string | null;
      /** The number of the socket that its presence is about. */
      connection_epoch: Generated<number>;
      created_at: Stamp;
    };
    router_rejections: {
      router_id: string;
      at: Date;
      reason: string;
      received: string | null;
      address: string;
    };
    main_account_cas: {
      main_account_id: string;
      certificate: string;
      sealed_key: Buffer;
      created_at: Date;
    };
    router_certificates: {
      id: string;
      main_account_id: string;
      router_id: string;
      serial_number: string;
      fingerprint: Buffer;
      subject: string;
      endpoint_id: string;
      created_at: Date;
      expires_at: Date;
      retires_at: NullableStamp;
      revoked_at: NullableStamp;
      last_used_at: NullableStamp;
    };
    router_models: {
      main_account_id: string;
      model: string;
      report_seconds: number;
      updated_at: Stamp;
    };
    router_ownership: {
      router_id: string;
      owned_from: Date;
      owned_until: NullableStamp;
      organization_id: string;
      device_id: string;
    };
  }
}

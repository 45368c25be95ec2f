import type { remoteAccess } from '@highline/contract';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    remote_sessions: {
      organization_id: string;
      id: string;
      main_account_id: string;
      device_id: string;
      router_id: string;
      type: remoteAccess.ConnectionType;
      node: string;
      account_id: string;
      account_email: string;
      login_hash: Buffer;
      opened_at: Stamp;
      credentials_expire_at: NullableStamp;
      ended_at: NullableStamp;
      end_reason: remoteAccess.EndReason | null;
    };
    remote_nodes: {
      node: string;
      seen_at: Stamp;
    };
  }
}

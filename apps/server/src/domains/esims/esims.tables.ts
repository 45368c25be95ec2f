import type { esims } from '@highline/contract';
import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    esim_profiles: {
      organization_id: string;
      id: string;
      main_account_id: string;
      device_id: string;
      router_id: string;
      serial: string;
      eid: Generated<string>;
      is_preloaded: Generated<boolean>;
      sealed_code: Generated<Buffer | null>;
      sealed_confirmation: Generated<Buffer | null>;
      iccid: Generated<string>;
      apn: Generated<string>;
      apn2: Generated<string>;
      name: Generated<string>;
      carrier: Generated<string>;
      status: Exclude<esims.ProfileStatus, 'Not Purchased'>;
      reason: Generated<string>;
      priority: number;
      version: Generated<number>;
      created_at: Date;
      updated_at: Date;
      path: Generated<string | null>;
      step: Generated<'download' | 'enable' | 'delete' | null>;
      step_key: Generated<string | null>;
      step_begun_at: NullableStamp;
      step_sent_at: NullableStamp;
      step_taken_at: NullableStamp;
      sends: Generated<number>;
      due_at: NullableStamp;
      looked_at: NullableStamp;
      settings_sent: Generated<string | null>;
    };
  }
}

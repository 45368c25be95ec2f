import type { rollouts } from '@highline/contract';
import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    bindings: {
      id: string;
      organization_id: string;
      group_key: string;
      kind: rollouts.BindingKind;
      firmware_id: string | null;
      config_id: string | null;
      config_number: number | null;
      label: string;
      schedule: rollouts.Schedule;
      postpone_until: NullableStamp;
      state: Generated<'running' | 'paused' | 'cancelled'>;
      paused_reason: 'person' | 'threshold' | null;
      failure_threshold: Generated<number>;
      canaries: Generated<number>;
      counted_from: Stamp;
      created_by: Generated<string>;
      created_at: Stamp;
      ended_at: NullableStamp;
    };
    rollout_targets: {
      organization_id: string;
      binding_id: string;
      device_id: string;
      router_id: string;
      state: Generated<rollouts.TargetState>;
      reason: string | null;
      detail: string | null;
      percent: Generated<number>;
      attempt: Generated<number>;
      is_canary: Generated<boolean>;
      phase: Generated<'idle' | 'sent' | 'downloaded' | 'staged' | 'applied'>;
      step_key: string | null;
      slot: string | null;
      step_begun_at: NullableStamp;
      step_sent_at: NullableStamp;
      step_taken_at: NullableStamp;
      sends: Generated<number>;
      interruptions: Generated<number>;
      due_at: NullableStamp;
      looked_at: NullableStamp;
      download_hash: Buffer | null;
      download_until: NullableStamp;
      checked_by: string | null;
      download_since: NullableStamp;
      updated_at: Stamp;
    };
    boot_choices: {
      router_id: string;
      slot: string;
      due_at: NullableStamp;
    };
  }
}

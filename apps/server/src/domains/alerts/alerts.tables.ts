import type { alerts } from '@highline/contract';
import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    alert_rules: {
      organization_id: string;
      id: string;
      main_account_id: string;
      name: string;
      is_enabled: boolean;
      severity: alerts.Severity;
      kind: alerts.ConditionKind;
      condition: Json<alerts.Condition>;
      for_seconds: number;
      scope_kind: alerts.RuleScope['kind'];
      scope_key: string | null;
      hours: Json<alerts.Hours | null>;
      channels: Json<alerts.Channels>;
      version: Generated<number>;
      /** Counts changes of the condition or the devices. */
      revision: Generated<number>;
      created_at: Stamp;
      updated_at: Stamp;
    };
    /** Counts changes of an organization's rules. */
    alert_rule_versions: { organization_id: string; version: string };
    /** What changed of all that processes have in memory; written by triggers. */
    alert_changes: {
      xid: Generated<string>;
      id: Generated<string>;
      organization_id: string | null;
      router_ids: Generated<string[]>;
      at: Generated<Date>;
    };
    /** A condition that holds now. */
    alert_states: {
      organization_id: string;
      rule_id: string;
      device_id: string;
      router_id: string;
      kind: alerts.ConditionKind;
      revision: number;
      since: Date;
      due_at: Date;
      value: number | null;
      cleared_at: NullableStamp;
      resolution: Generated<alerts.Resolution>;
      /** Null until it fired. */
      alert_id: string | null;
    };
    /** An alert that people are to be informed of. */
    alert_notices: { organization_id: string; alert_id: string; kind: 'fired' | 'escalated'; rule_id: string; due_at: Date };
    /** The throttle of a rule's messages. */
    alert_bursts: {
      organization_id: string;
      rule_id: string;
      kind: 'fired' | 'escalated';
      next_at: Date;
      seconds: number;
      storm_id: string | null;
      storm_at: NullableStamp;
    };
    alerts: {
      organization_id: string;
      id: string;
      main_account_id: string;
      rule_id: string;
      rule_name: string;
      severity: alerts.Severity;
      kind: alerts.ConditionKind;
      reading: string | null;
      device_id: string;
      serial: string;
      vehicle_number: string;
      group_key: string;
      carrier: string | null;
      state: alerts.AlertState;
      value: number | null;
      /** The geofence that was crossed, as it was called then; null for other kinds. */
      geofence: Generated<string | null>;
      since: Date;
      fired_at: Date;
      acknowledged_at: NullableStamp;
      acknowledged_by: Generated<string>;
      note: Generated<string>;
      resolved_at: NullableStamp;
      resolution: alerts.Resolution | null;
      /** Alerts of one rule that fired together. */
      storm_id: Generated<string | null>;
    };
  }
}

import { alerts } from '@highline/contract';
import type { Row } from '../../platform/ports/tables.ts';
import type { StoredRule } from './alert-rules.store.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'alert_rules.kind': alerts.ConditionKind;
    'alert_rules.condition': alerts.Condition;
    'alert_rules.hours': alerts.Hours;
    'alert_rules.channels': alerts.Channels;
    'alert_states.kind': alerts.ConditionKind;
    'alert_states.resolution': alerts.Resolution;
    'alert_bursts.kind': 'fired' | 'escalated' | 'ended';
    'alerts.severity': alerts.Severity;
    'alerts.kind': alerts.AlertKind;
    'alerts.resolution': alerts.Resolution;
  }
}

export interface RuleRow extends Omit<StoredRule, 'revision'> {
  readonly informed: string[];
  readonly informed_count: number;
  readonly missing: boolean;
  readonly open: number;
  readonly failing_channels: number;
}

export function toRuleDto(row: RuleRow): alerts.Rule {
  const { id, name, severity, condition, hours, channels, missing, open, version } = row;
  return {
    id,
    name,
    enabled: row.is_enabled,
    severity,
    condition,
    forSeconds: row.for_seconds,
    scope: scopeOf(row),
    hours,
    channels,
    action: row.action,
    actsFor: row.action_actor === null ? null : (row.action_actor.key?.label ?? row.action_actor.email),
    informed: row.informed,
    informedCount: row.informed_count,
    missing,
    open,
    failingChannels: row.failing_channels,
    version,
  };
}

/** The devices that a rule watches. */
export function scopeOf({ scope_kind: kind, scope_key: key }: Pick<StoredRule, 'scope_kind' | 'scope_key'>): alerts.RuleScope {
  const named = key ?? '';
  switch (kind) {
    case 'all':
      return { kind };
    case 'group':
      return { kind, group: named };
    case 'tag':
      return { kind, tag: named };
    case 'view':
      return { kind, view: named };
  }
}

type Stored = Row<
  'alerts',
  | 'id'
  | 'organization_id'
  | 'rule_id'
  | 'rule_name'
  | 'severity'
  | 'kind'
  | 'reading'
  | 'device_id'
  | 'serial'
  | 'vehicle_number'
  | 'carrier'
  | 'group_key'
  | 'latitude'
  | 'longitude'
  | 'place'
  | 'state'
  | 'value'
  | 'geofence'
  | 'since'
  | 'fired_at'
  | 'acknowledged_at'
  | 'acknowledged_by'
  | 'note'
  | 'resolved_at'
  | 'resolution'
>;
export type AlertRow = Stored & { readonly org_name: string; readonly group_name: string; readonly storm: alerts.Alert['storm'] };

/** An alert as the API returns it; times are epoch seconds. */
export function toAlertDto(row: AlertRow): alerts.Alert {
  return {
    id: row.id,
    state: row.state,
    severity: row.severity,
    rule: row.rule_id,
    ruleName: row.rule_name,
    kind: row.kind,
    org: row.organization_id,
    projectName: row.org_name,
    device: alerts.isSystemKind(row.kind) ? '' : row.device_id,
    serial_number: row.serial,
    vehicle_number: row.vehicle_number,
    carrier: row.carrier,
    group: row.group_key,
    groupName: row.group_name,
    place: placeOf(row),
    value: row.value,
    reading: row.reading,
    geofence: row.geofence,
    since: seconds(row.since),
    fired: seconds(row.fired_at),
    acknowledged: row.acknowledged_at && seconds(row.acknowledged_at),
    acknowledgedBy: row.acknowledged_by,
    note: row.note,
    resolved: row.resolved_at && seconds(row.resolved_at),
    resolution: row.resolution,
    storm: row.storm,
  };
}

function placeOf({
  latitude,
  longitude,
  place: geofence,
}: Pick<Stored, 'latitude' | 'longitude' | 'place'>): alerts.Alert['place'] {
  return latitude === null || longitude === null ? null : { latitude, longitude, geofence };
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

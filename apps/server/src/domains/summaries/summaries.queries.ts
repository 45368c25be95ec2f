// Reads tables of other domains: alerts, audit_entries, bindings, devices, groups, main_accounts, organizations, remote_sessions, rollout_targets, router_ownership, router_settings_states, routers.
import type { remoteAccess, routerSettings } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { devicesOf } from '../devices/index.ts';
import type { OutageTime } from '../outages/index.ts';
import { differing, settingsState } from '../router-settings/index.ts';

/** The name and the logo of the organization or main account that a summary is about, and a group of it; null = there is no such group. */
export async function readNames(
  reader: Reader,
  scope: Scope,
  group: string | undefined,
): Promise<{ readonly owner: string; readonly group: string | null; readonly logo: Buffer | null }> {
  const owner =
    scope.kind === 'organization'
      ? sql`select o.name from organizations o where o.id = ${scope.organizationId}::uuid`
      : sql`select m.name from main_accounts m where m.id = ${scope.mainAccountId}::uuid`;
  const ofGroup =
    group === undefined || scope.kind !== 'organization'
      ? sql`null::text`
      : sql`(select g.name from groups g where g.organization_id = ${scope.organizationId}::uuid and g.key = ${group})`;
  const logo = scope.kind === 'organization' ? scope.organizationId : null;
  const [row] = await reader.rows<{ owner: string; group: string | null; logo: Buffer | null }>(
    sql`select (${owner}) as owner, ${ofGroup} as group, (select t.logo from report_settings t where t.organization_id = ${logo}::uuid) as logo`,
  );
  return row ?? { owner: '', group: null, logo: null };
}

/** What the devices of a summary have in common. */
export interface DeviceChoice {
  /** The key of their group. */
  readonly group: string | undefined;
  readonly tag: string | undefined;
}

/** Conditions on devices `d`. */
export const devicesWith = ({ group, tag }: DeviceChoice): Fragment[] => [
  ...(group === undefined ? [] : [sql`d.group_key = ${group}`]),
  ...(tag === undefined ? [] : [sql`exists (select from unnest(d.tags) t (tag) where lower(t.tag) = lower(${tag}))`]),
];

/** The same on rows of another table, also about devices that were deleted or transferred since. @param alias of a table with `organization_id` and `device_id` */
export function ofDevicesWith(scope: Scope, choice: DeviceChoice, alias: string): Fragment | undefined {
  const conditions = devicesWith(choice);
  if (conditions.length === 0) return undefined;
  const own =
    scope.kind === 'organization'
      ? sql`d.organization_id = ${scope.organizationId}::uuid`
      : sql`d.main_account_id = ${scope.mainAccountId}::uuid`;
  return sql`(${sql.ref(`${alias}.organization_id`)}, ${sql.ref(`${alias}.device_id`)}) in (select d.organization_id, d.id from devices d
    where ${allOf([own, ...conditions])})`;
}

const given = (condition: Fragment | undefined): Fragment[] => (condition === undefined ? [] : [condition]);
const nameOfDevice = sql`coalesce(nullif(d.vehicle_number, ''), d.serial, '')`;

/** An alert that fired in a period. */
export interface AlertOfPeriod {
  readonly fired_at: Date;
  readonly resolved_at: Date | null;
  readonly acknowledged_at: Date | null;
  readonly acknowledged_by: string | null;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly rule_name: string;
  readonly serial: string;
  readonly vehicle_number: string;
  readonly carrier: string | null;
  readonly group_name: string;
  readonly org_name: string;
}

/** Alerts that fired in a period, the newest first. */
export function alertsOfPeriod(
  scope: Scope,
  { begins, ends }: OutageTime,
  { group, tag, carrier }: DeviceChoice & { readonly carrier: string | undefined },
): Fragment {
  const own =
    scope.kind === 'organization'
      ? sql`a.organization_id = ${scope.organizationId}::uuid`
      : sql`a.main_account_id = ${scope.mainAccountId}::uuid`;
  const conditions = allOf([
    own,
    sql`a.fired_at >= ${begins}::timestamptz and a.fired_at < ${ends}::timestamptz`,
    ...(group === undefined ? [] : [sql`a.group_key = ${group}`]),
    ...(carrier === undefined ? [] : [sql`a.carrier = ${carrier}`]),
    ...given(ofDevicesWith(scope, { group: undefined, tag }, 'a')),
  ]);
  return sql`select a.fired_at, a.resolved_at, a.acknowledged_at, a.acknowledged_by, a.severity, a.rule_name, a.serial, a.vehicle_number, a.carrier,
      coalesce(g.name, a.group_key, '') as group_name, o.name as org_name
    from alerts a join organizations o on o.id = a.organization_id
      left join groups g on g.organization_id = a.organization_id and g.key = a.group_key
    where ${conditions} order by a.fired_at desc, a.id desc`;
}

/** Entries of the log of a period, the newest first: its own of an organization, or of the main account itself. */
export function actsOfPeriod(scope: Scope, { begins, ends }: OutageTime): Fragment {
  const chain = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
  return sql`select e.seq, e.at, e.actor_email, e.actor_role, e.actor_key, e.actor_with, e.address, e.action, e.sentence, e.detail, e.subject_kind, e.subject_id, e.hash
    from audit_entries e where e.chain_id = ${chain}::uuid and e.at >= ${begins}::timestamptz and e.at < ${ends}::timestamptz
    order by e.at desc, e.seq desc`;
}

/** A device as an inventory has it. */
export interface InventoryRow {
  readonly vehicle_number: string;
  readonly serial: string;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly config: string | null;
  readonly group_name: string;
  readonly carrier: string | null;
  readonly iccid: string | null;
  readonly started_on: string | null;
  readonly expires_on: string | null;
  readonly org_name: string;
}

/** Devices with firmware, settings and subscription as they are now, by vehicle. */
export function inventoryOf(scope: Scope, choice: DeviceChoice, carrier: string | undefined): Fragment {
  return sql`select d.vehicle_number, d.serial, d.model, d.firmware, d.config, coalesce(g.name, '') as group_name, d.carrier, d.iccid,
      d.started_on::text as started_on, d.expires_on::text as expires_on, o.name as org_name
    from devices d join organizations o on o.id = d.organization_id
      left join groups g on g.organization_id = d.organization_id and g.key = d.group_key
    where ${allOf([devicesOf(scope), ...devicesWith(choice), ...(carrier === undefined ? [] : [sql`d.carrier = ${carrier}`])])}
    order by d.vehicle_number collate natural_order, d.serial, d.id`;
}

/** What a device should run, as its group is bound, and what it reports. */
export interface SettingsRow {
  readonly name: string;
  readonly serial: string;
  readonly org_name: string;
  readonly group_name: string;
  readonly firmware: string | null;
  /** Of the router settings; null = none were read. */
  readonly settings_state: routerSettings.DeviceState;
  readonly settings_differ: number;
  readonly bound_firmware: string | null;
  readonly firmware_state: string | null;
  readonly config: string | null;
  readonly bound_config: string | null;
  readonly bound_version: number | null;
  readonly config_state: string | null;
}

/** Devices with what their groups are bound to, by vehicle. */
export function settingsOf(scope: Scope, choice: DeviceChoice): Fragment {
  const bound = (kind: string) => sql`left join lateral (select b.label, b.config_number, t.state from bindings b
      left join rollout_targets t on t.binding_id = b.id and t.device_id = d.id
      where b.organization_id = d.organization_id and b.group_key = d.group_key and b.kind = ${kind} and b.ended_at is null
      order by b.created_at desc limit 1)`;
  return sql`select ${nameOfDevice} as name, d.serial, o.name as org_name, coalesce(g.name, '') as group_name, d.firmware,
      f.label as bound_firmware, f.state as firmware_state, d.config, c.label as bound_config, c.config_number as bound_version, c.state as config_state,
      ${settingsState} as settings_state, jsonb_array_length(${differing}) as settings_differ
    from devices d join organizations o on o.id = d.organization_id
      left join groups g on g.organization_id = d.organization_id and g.key = d.group_key
      left join router_settings_states t on t.organization_id = d.organization_id and t.device_id = d.id and t.router_id = d.router_id
      ${bound('firmware')} f on true ${bound('config')} c on true
    where ${allOf([devicesOf(scope), ...devicesWith(choice)])} order by d.vehicle_number collate natural_order, d.serial, d.id`;
}

/** A remote session of a period. */
export interface SessionRow {
  readonly opened_at: Date;
  readonly ended_at: Date | null;
  readonly end_reason: remoteAccess.EndReason | null;
  readonly type: remoteAccess.ConnectionType;
  readonly is_terminal: boolean;
  readonly account_email: string;
  readonly name: string;
  readonly serial: string;
  readonly org_name: string;
}

/** Remote sessions that were opened in a period, the newest first. */
export function sessionsOf(scope: Scope, { begins, ends }: OutageTime, choice: DeviceChoice): Fragment {
  const own =
    scope.kind === 'organization'
      ? sql`s.organization_id = ${scope.organizationId}::uuid`
      : sql`s.main_account_id = ${scope.mainAccountId}::uuid`;
  const conditions = allOf([
    own,
    sql`s.opened_at >= ${begins}::timestamptz and s.opened_at < ${ends}::timestamptz`,
    ...given(ofDevicesWith(scope, choice, 's')),
  ]);
  return sql`select s.opened_at, s.ended_at, s.end_reason, s.type, s.terminal_at is not null as is_terminal, s.account_email, ${nameOfDevice} as name,
      coalesce(r.serial, (select max(w.serial) from router_ownership w where w.router_id = s.router_id), '') as serial, o.name as org_name
    from remote_sessions s join organizations o on o.id = s.organization_id left join routers r on r.id = s.router_id
      left join devices d on d.organization_id = s.organization_id and d.id = s.device_id
    where ${conditions} order by s.opened_at desc, s.id desc`;
}

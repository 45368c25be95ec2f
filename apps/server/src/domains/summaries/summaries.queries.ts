// Reads tables of other domains: alerts, audit_entries, devices, groups, main_accounts, organizations.
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { devicesOf } from '../devices/index.ts';
import type { OutageTime } from '../outages/index.ts';

/** The name of the organization or main account that a summary is about, and of a group of it; null = there is no such group. */
export async function readNames(
  reader: Reader,
  scope: Scope,
  group: string | undefined,
): Promise<{ readonly owner: string; readonly group: string | null }> {
  const owner =
    scope.kind === 'organization'
      ? sql`select o.name from organizations o where o.id = ${scope.organizationId}::uuid`
      : sql`select m.name from main_accounts m where m.id = ${scope.mainAccountId}::uuid`;
  const ofGroup =
    group === undefined || scope.kind !== 'organization'
      ? sql`null::text`
      : sql`(select g.name from groups g where g.organization_id = ${scope.organizationId}::uuid and g.key = ${group})`;
  const [row] = await reader.rows<{ owner: string; group: string | null }>(sql`select (${owner}) as owner, ${ofGroup} as group`);
  return row ?? { owner: '', group: null };
}

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
export function alertsOfPeriod(scope: Scope, { begins, ends }: OutageTime, group: string | undefined): Fragment {
  const own =
    scope.kind === 'organization'
      ? sql`a.organization_id = ${scope.organizationId}::uuid`
      : sql`a.main_account_id = ${scope.mainAccountId}::uuid`;
  const conditions = allOf([
    own,
    sql`a.fired_at >= ${begins}::timestamptz and a.fired_at < ${ends}::timestamptz`,
    ...(group === undefined ? [] : [sql`a.group_key = ${group}`]),
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
  return sql`select e.seq, e.at, e.actor_email, e.actor_role, e.actor_key, e.address, e.action, e.sentence, e.detail, e.subject_kind, e.subject_id, e.hash
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
export function inventoryOf(scope: Scope, group: string | undefined): Fragment {
  return sql`select d.vehicle_number, d.serial, d.model, d.firmware, d.config, coalesce(g.name, '') as group_name, d.carrier, d.iccid,
      d.started_on::text as started_on, d.expires_on::text as expires_on, o.name as org_name
    from devices d join organizations o on o.id = d.organization_id
      left join groups g on g.organization_id = d.organization_id and g.key = d.group_key
    where ${allOf([devicesOf(scope), ...(group === undefined ? [] : [sql`d.group_key = ${group}`])])}
    order by d.vehicle_number collate natural_order, d.serial, d.id`;
}

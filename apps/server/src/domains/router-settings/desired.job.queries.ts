// Reads tables of other domains: device_properties, devices, routers.
import { toFamily, type settingSchemas, type SettingsFamily } from '@highline/contract';
import { sql } from 'kysely';
import { manyOf } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import type { SettingsReport, StoredState } from './compare.ts';
import type { DesiredRow } from './settings.rows.ts';

// Routers are compared for every organization: each row has its organization, and nothing is returned to a user.

/** The saved levels that count for a device, with its own. */
export const ofItsLevels = sql`s.organization_id = d.organization_id and s.replaced_at is null
  and (s.device_id = d.id or s.group_key = d.group_key or (s.device_id is null and s.group_key is null))`;

/** A device with its levels, its variables and what its router reported. */
export const desiredColumns = sql`d.id as "deviceId", d.organization_id as "organizationId", d.main_account_id as "mainAccountId",
  d.router_id as "routerId", d.serial, d.vehicle_number as "vehicleNumber",
  (select jsonb_object_agg(p.property_key, p.value) from device_properties p
    where p.organization_id = d.organization_id and p.device_id = d.id and p.value is not null) as properties,
  (select jsonb_agg(jsonb_build_object('id', s.id, 'group', s.group_key, 'device', s.device_id, 'content', s.content,
      'sealed', translate(encode(s.sealed, 'base64'), E'\n', '')))
    from router_settings s where ${ofItsLevels}) as levels,
  t.content as report, t.checked_at as "checkedAt",
  coalesce((select r.model from routers r where r.id = d.router_id), '') as model`;

/** With what the router of the device reported; that of another router says nothing. */
export const withReport = sql`devices d left join router_settings_states t
  on t.organization_id = d.organization_id and t.device_id = d.id and t.router_id = d.router_id`;

/** The devices of these routers for which anything is set, or was. */
export async function findDesired(queries: Queries, routerIds: readonly string[]): Promise<DesiredRow[]> {
  if (routerIds.length === 0) return [];
  const { rows } = await sql<Omit<DesiredRow, 'families'>>`${plannedOnce}select ${desiredColumns} from ${withReport}
    where d.router_id in ${manyOf(routerIds, 'uuid')} and d.archived_at is null
      and (t.device_id is not null or exists (select 1 from router_settings s where ${ofItsLevels}))`.execute(queries);
  return withFamilies(queries, rows);
}

const NO_FAMILIES: readonly SettingsFamily[] = [];

/** Devices with what the schema files of their organizations add. */
export async function withFamilies(queries: Queries, rows: readonly Omit<DesiredRow, 'families'>[]): Promise<DesiredRow[]> {
  const organizations = [...new Set(rows.map(({ organizationId }) => organizationId))];
  if (organizations.length === 0) return [];
  const { rows: found } = await sql<{ organization: string; content: settingSchemas.SchemaFile }>`
    select organization_id as organization, content from router_setting_schemas
    where organization_id in ${manyOf(organizations, 'uuid')} order by organization_id, id`.execute(queries);
  const families = new Map(
    Array.from(
      Map.groupBy(found, ({ organization }) => organization),
      ([id, own]) => [id, own.map(({ content }) => toFamily(content))] as const,
    ),
  );
  return rows.map((row) => ({ ...row, families: families.get(row.organizationId) ?? NO_FAMILIES }));
}

/** Routers of this process that were read before a time, those that wait longest first. */
export async function findUnread(queries: Queries, nodeId: string, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select t.router_id as id from router_settings_states t
      join routers r on r.id = t.router_id and r.held_by = ${nodeId}::uuid and r.presence = 'online'
    where t.checked_at < ${before}::timestamptz order by t.checked_at limit ${limit}`.execute(queries);
  return rows.map(({ id }) => id);
}

/** A comparison to store. */
export interface NewState {
  readonly organizationId: string;
  readonly deviceId: string;
  readonly routerId: string;
  readonly state: StoredState;
  readonly content: SettingsReport;
  /**
   * Only while the last one is from this time: another comparison that was faster knows more, and so does a factory reset, which deletes it.
   * Undefined = in any case.
   */
  readonly after?: Date | null | undefined;
}

/** Store what routers reported, of each device once and if it still has its router. @returns ids of devices with another state than before */
export async function storeStates(tx: Tx, states: readonly NewState[], now: Date): Promise<ReadonlySet<string>> {
  const of = (key: 'organizationId' | 'deviceId' | 'routerId' | 'state') => states.map((each) => each[key]);
  const contents = states.map(({ content }) => JSON.stringify(content));
  const always = states.map(({ after }) => after === undefined);
  const after = states.map((each) => each.after ?? null);
  const { rows } = await sql<{ id: string; hasChanged: boolean }>`${plannedOnce}with n as materialized (
      select * from unnest(${of('organizationId')}::uuid[], ${of('deviceId')}::uuid[], ${of('routerId')}::uuid[], ${of('state')}::text[],
        ${contents}::text[], ${always}::boolean[], ${after}::timestamptz[])
        as each (organization_id, device_id, router_id, state, content, is_always, after)),
    before as materialized (select t.organization_id, t.device_id, t.state, t.content
      from n join router_settings_states t on t.organization_id = n.organization_id and t.device_id = n.device_id)
    insert into router_settings_states as t (organization_id, device_id, router_id, state, content, checked_at, group_key)
    select d.organization_id, d.id, d.router_id, n.state, n.content::jsonb, ${now}::timestamptz, d.group_key
      from n join devices d on d.organization_id = n.organization_id and d.id = n.device_id and d.router_id = n.router_id
      where d.archived_at is null and (n.after is null or exists (select 1 from before b where b.device_id = n.device_id))
      order by d.organization_id, d.id
    on conflict (organization_id, device_id) do update set router_id = excluded.router_id, state = excluded.state,
      content = excluded.content, checked_at = excluded.checked_at, group_key = excluded.group_key
      where t.router_id <> excluded.router_id or exists (select 1 from n where n.device_id = excluded.device_id
        and (n.is_always or t.checked_at is not distinct from n.after))
    returning t.device_id as id,
      not exists (select 1 from before b where b.device_id = t.device_id and b.state = t.state and b.content = t.content) as "hasChanged"`.execute(
    tx,
  );
  return new Set(rows.flatMap(({ id, hasChanged }) => (hasChanged ? [id] : [])));
}

/** Nothing is set for this device any more. */
export async function deleteState(
  tx: Tx,
  { organizationId, deviceId }: Pick<NewState, 'organizationId' | 'deviceId'>,
): Promise<void> {
  await sql`delete from router_settings_states
    where organization_id = ${organizationId}::uuid and device_id = ${deviceId}::uuid`.execute(tx);
}

/** A router that was reset to its factory settings has nothing of what it confirmed. */
export async function deleteStatesOf(tx: Tx, routerId: string): Promise<void> {
  await sql`delete from router_settings_states where router_id = ${routerId}::uuid`.execute(tx);
}

/** Former versions are kept for a year. */
const KEPT_DAYS = 365;

/** Delete former versions that are older than that. */
export async function purgeVersions(queries: Queries, now: Date): Promise<void> {
  await sql`delete from router_settings where replaced_at < ${new Date(now.getTime() - KEPT_DAYS * 86_400_000)}::timestamptz`.execute(
    queries,
  );
}

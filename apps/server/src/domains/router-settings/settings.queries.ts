// Reads tables of other domains: bindings, devices, groups, remote_sessions, rollout_targets, routers, sent_commands.
import type { routerSettings, sentCommands } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { defineList, type Fragment } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { holdsRollouts } from '../approvals/index.ts';
import { desiredColumns, ofItsLevels, withFamilies, withReport } from './desired.job.queries.ts';
import type { DesiredRow, LevelRow } from './settings.rows.ts';
import type { SettingsReport } from './compare.ts';
import type { LevelContent } from './effective-setting.ts';

/** A level: the organization, one of its groups, or one of its devices. */
export interface LevelTarget {
  readonly level: routerSettings.SettingLevel;
  readonly groupKey: string | null;
  readonly deviceId: string | null;
  /** Name of the group, or serial number. */
  readonly name: string;
  /** Levels above: the group of a device. */
  readonly parentGroup: string | null;
}

/** The level that a call names, if the organization has it. @param device id */
export async function findLevel(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { group, device }: { readonly group?: string | undefined; readonly device?: string | undefined },
): Promise<LevelTarget | undefined> {
  if (device !== undefined) {
    const found = isId(device)
      ? await queries
          .selectFrom('devices')
          .select(['serial', 'group_key'])
          .where('organization_id', '=', organizationId)
          .where('id', '=', device)
          .where('archived_at', 'is', null)
          .executeTakeFirst()
      : undefined;
    return found && { level: 'device', groupKey: null, deviceId: device, name: found.serial, parentGroup: found.group_key };
  }
  if (group === undefined) return { level: 'organization', groupKey: null, deviceId: null, name: '', parentGroup: null };
  const found = await queries
    .selectFrom('groups')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('key', '=', group)
    .executeTakeFirst();
  return found && { level: 'group', groupKey: group, deviceId: null, name: found.name, parentGroup: null };
}

/** A living device of the organization by its serial number. */
export async function findDeviceId(
  queries: Queries,
  { organizationId }: OrganizationScope,
  serial: string,
): Promise<string | undefined> {
  const found = await queries
    .selectFrom('devices')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('serial', '=', serial)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return found?.id;
}

/** What was saved for a level. */
export interface SavedLevel {
  readonly id: string;
  readonly version: number;
  readonly content: LevelContent;
  readonly sealed: Buffer | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** What counts for a level now; undefined = nothing was ever saved. */
export async function findSaved(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { groupKey, deviceId }: Pick<LevelTarget, 'groupKey' | 'deviceId'>,
): Promise<SavedLevel | undefined> {
  const { rows } = await sql<SavedLevel>`select id, version, content, sealed, created_by as "createdBy", created_at as "createdAt"
    from router_settings where organization_id = ${organizationId}::uuid and replaced_at is null
      and coalesce(device_id::text, '') = ${deviceId ?? ''} and coalesce(group_key, '') = ${groupKey ?? ''}`.execute(queries);
  return rows[0];
}

/**
 * Whether the organization or the group of `devices d` has saved settings since a time; where rollouts may wait for a second person, the device
 * itself too: what no one approved is not sent.
 */
export const hasNewerSettings = (since: Fragment): Fragment => sql`exists (select 1 from router_settings s
  where s.organization_id = d.organization_id and s.replaced_at is null and s.created_at > ${since}
    and coalesce(s.group_key, '') in ('', d.group_key)
    and coalesce(s.device_id::text, '') in ('', case when ${holdsRollouts(sql`d.organization_id`)} then d.id::text else '' end))`;

/** The present version of a level, 0 if nothing was ever saved; and when anything sent with it was last saved: all levels of a group or organization. */
export async function findNewestSettings(
  queries: Queries,
  { organizationId }: OrganizationScope,
  group: string | null,
): Promise<{ readonly version: number; readonly savedAt: Date | null }> {
  const { rows } = await sql<{ version: number; savedAt: Date | null }>`select
      coalesce(max(s.version) filter (where s.group_key is not distinct from ${group}), 0)::int as version, max(s.created_at) as "savedAt"
    from router_settings s where s.organization_id = ${organizationId}::uuid and s.replaced_at is null
      and coalesce(s.device_id::text, '') = '' and (${group}::text is null or coalesce(s.group_key, '') in ('', ${group}))`.execute(
    queries,
  );
  return rows[0]!;
}

/** A digest of the versions of all levels that count for devices, with their own. @param devices condition on `devices d` */
export async function digestSettings(
  queries: Queries,
  { organizationId }: OrganizationScope,
  devices: Fragment,
): Promise<string> {
  const { rows } = await sql<{ digest: string }>`with chosen as materialized (select d.id, d.group_key from devices d
      where d.organization_id = ${organizationId}::uuid and d.archived_at is null and ${devices})
    select coalesce(md5(string_agg(s.id::text, ' ' order by s.id)), '') as digest
    from router_settings s where s.organization_id = ${organizationId}::uuid and s.replaced_at is null
      and (s.device_id in (select id from chosen) or s.group_key in (select group_key from chosen)
        or (s.device_id is null and s.group_key is null))`.execute(queries);
  return rows[0]!.digest;
}

/** Versions of a level, the newest first. @param before undefined = from the present one @param limit how many */
export async function findVersions(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { groupKey, deviceId }: Pick<LevelTarget, 'groupKey' | 'deviceId'>,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly SavedLevel[]> {
  const { rows } = await sql<SavedLevel>`select id, version, content, sealed, created_by as "createdBy", created_at as "createdAt"
    from router_settings where organization_id = ${organizationId}::uuid
      and device_id is not distinct from ${deviceId}::uuid and group_key is not distinct from ${groupKey}
      and (${before ?? null}::integer is null or version < ${before ?? null}::integer)
    order by version desc limit ${limit}`.execute(queries);
  return rows;
}

/** What counts above a level: of the organization, and of the group of a device. */
export async function findInherited(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { level, parentGroup }: Pick<LevelTarget, 'level' | 'parentGroup'>,
): Promise<readonly LevelRow[]> {
  if (level === 'organization') return [];
  const { rows } = await sql<LevelRow>`select id, group_key as "group", device_id as device, content, null::text as sealed
    from router_settings where organization_id = ${organizationId}::uuid and replaced_at is null and device_id is null
      and (group_key is null or group_key = ${parentGroup})`.execute(queries);
  return rows;
}

/** How many devices a level counts for, and how many of them have exceptions of their own. */
export async function countDevices(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { level, groupKey, deviceId }: LevelTarget,
): Promise<{ readonly devices: number; readonly exceptions: number }> {
  if (level === 'device') return { devices: 1, exceptions: 0 };
  const { rows } = await sql<{ devices: number; exceptions: number }>`select count(*)::int as devices,
      count(*) filter (where exists (select 1 from router_settings s where s.organization_id = d.organization_id
        and s.device_id = d.id and s.replaced_at is null and s.content <> '{}'))::int as exceptions
    from devices d where d.organization_id = ${organizationId}::uuid and d.archived_at is null
      and (${groupKey}::text is null or d.group_key = ${groupKey}) and ${deviceId}::uuid is null`.execute(queries);
  return rows[0]!;
}

/** Devices that a level counts for, by id, after one of them, with everything that their settings are made of. */
export async function findDesiredOf(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { groupKey, deviceId }: Pick<LevelTarget, 'groupKey' | 'deviceId'>,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<DesiredRow[]> {
  const { rows } = await sql<Omit<DesiredRow, 'families'>>`select ${desiredColumns} from ${withReport}
    where d.organization_id = ${organizationId}::uuid and d.archived_at is null
      and (${groupKey}::text is null or d.group_key = ${groupKey}) and (${deviceId}::uuid is null or d.id = ${deviceId}::uuid)
      and (${after ?? null}::uuid is null or d.id > ${after ?? null}::uuid)
    order by d.id limit ${limit}`.execute(queries);
  return withFamilies(queries, rows);
}

/** The last command or rollout that applied settings to a device. */
export interface AppliedRow {
  readonly commandId: string | null;
  readonly commandState: sentCommands.SentState | null;
  readonly commandReason: sentCommands.SentReason | null;
  readonly commandMessage: string | null;
  readonly commandAt: Date | null;
  readonly commandEndedAt: Date | null;
}

const appliedColumns = sql`c.id as "commandId", c.state as "commandState", c.reason as "commandReason",
  c.message as "commandMessage", c.created_at as "commandAt", c.ended_at as "commandEndedAt"`;
const lastCommand = sql`select c.id, c.state, c.reason, c.message, c.created_at, c.ended_at from sent_commands c
  where c.organization_id = d.organization_id and c.device_id = d.id and c.kind = 'apply-settings' order by c.id desc limit 1`;
/** A rollout that has begun on the router; one that waits for its wave or window has sent nothing. */
const lastRollout = sql`select b.id, case when t.state = 'successful' then 'done' when t.phase = 'idle' then 'failed' else 'running' end,
    null, case when t.state in ('failed', 'rolled-back') then t.detail end, t.updated_at, case when t.phase = 'idle' then t.updated_at end
  from rollout_targets t join bindings b on b.id = t.binding_id and b.kind = 'settings' and b.ended_at is null
  where t.organization_id = d.organization_id and t.device_id = d.id and t.state <> 'waiting' order by t.updated_at desc limit 1`;
const lastApplied = sql`left join lateral (select * from ((${lastCommand}) union all (${lastRollout})) applied
  order by created_at desc limit 1) c on true`;

/** What a device is shown with besides its values. */
export interface ShownDevice extends AppliedRow {
  readonly isOnline: boolean;
  readonly heldBy: string | null;
}

/** Connection and last command of a living device of the organization. */
export async function findShownDevice(
  queries: Queries,
  { organizationId }: OrganizationScope,
  deviceId: string,
): Promise<ShownDevice | undefined> {
  const { rows } = await sql<ShownDevice>`select d.presence = 'online' as "isOnline", r.held_by as "heldBy", ${appliedColumns}
    from devices d join routers r on r.id = d.router_id ${lastApplied}
    where d.organization_id = ${organizationId}::uuid and d.id = ${deviceId}::uuid and d.archived_at is null`.execute(queries);
  return rows[0];
}

/** A remote session with a router: its person may have changed something there. */
export interface RemoteVisit {
  readonly email: string;
  readonly opened: Date;
  readonly ended: Date | null;
}

/** The last remote sessions with a device, the newest first. */
export async function findVisits(
  queries: Queries,
  { organizationId }: OrganizationScope,
  deviceId: string,
): Promise<readonly RemoteVisit[]> {
  const { rows } =
    await sql<RemoteVisit>`select account_email as email, opened_at as opened, ended_at as ended from remote_sessions
    where organization_id = ${organizationId}::uuid and device_id = ${deviceId}::uuid order by opened_at desc limit 20`.execute(
      queries,
    );
  return rows;
}

export interface SettingsListRow extends AppliedRow {
  readonly device_id: string;
  readonly serial: string;
  readonly vehicle_number: string | null;
  readonly group_key: string;
  readonly group_name: string | null;
  readonly is_online: boolean;
  readonly state: routerSettings.DeviceState;
  readonly checked_at: Date | null;
  readonly differs: number;
  readonly since: string | null;
  readonly exceptions: number;
  /** What differs, as the router reported it. */
  readonly report: SettingsReport | null;
}

/** Whether anything is set for `devices d`. */
export const isSet = sql`exists (select 1 from router_settings s where ${ofItsLevels} and s.content <> '{}')`;
/** Saved after the router was read, or the device was moved to a group with other values since. */
const isNewer = sql`(t.group_key <> d.group_key or exists (select 1 from router_settings s where ${ofItsLevels} and s.created_at > t.checked_at))`;
/** The state of `devices d` with what its present router reported `t`, if anything. */
export const settingsState = sql`case when not ${isSet} then 'none' when t.device_id is null or ${isNewer} then 'not-sent' else t.state end`;
/** Of each value that is otherwise, since when; it says nothing while the state is another one than `differs`. */
export const differing = sql`jsonb_path_query_array(coalesce(t.content, '{}'),
  '$.* ? (@.state == "differs" || @.state == "rejected" || @.state == "returned").since')`;

const differingDevices = (organizationId: string, groupKey: string | null) => sql`from router_settings_states t
    join devices d on d.organization_id = t.organization_id and d.id = t.device_id and d.router_id = t.router_id
  where t.organization_id = ${organizationId}::uuid and ${settingsState} = 'differs' and d.archived_at is null
    and (${groupKey}::text is null or d.group_key = ${groupKey})`;

/** A value that can be adopted: it is otherwise, and the router said how. */
const hasReported = sql`jsonb_path_exists(t.content,
  '$.* ? ((@.state == "differs" || @.state == "rejected" || @.state == "returned") && exists (@.actual))')`;

/** Devices whose routers differ and say how. @param groupKey null = of the organization */
export async function findDiffering(
  queries: Queries,
  { organizationId }: OrganizationScope,
  groupKey: string | null,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select d.id ${differingDevices(organizationId, groupKey)} and ${hasReported}
    order by d.id limit ${limit}`.execute(queries);
  return rows.map(({ id }) => id);
}

/** How many there are. */
export async function countDiffering(
  queries: Queries,
  { organizationId }: OrganizationScope,
  groupKey: string | null,
): Promise<number> {
  const { rows } = await sql<{
    devices: number;
  }>`select count(*)::int as devices ${differingDevices(organizationId, groupKey)}`.execute(queries);
  return rows[0]!.devices;
}

type ListQuery = z.output<typeof routerSettings.listSettings.query>;

/** Devices by serial number with the state of their settings (TPL-05). */
export const settingsList = (toDto: (row: SettingsListRow) => routerSettings.SettingsRow) =>
  defineList({
    of: (scope: OrganizationScope, { group, state: chosen }: ListQuery) => ({
      name: 'router-settings',
      table: sql`devices d`,
      alias: 'd',
      identity: ['organization_id', 'id'],
      scope: sql`d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null`,
      filters: [
        ...(group === undefined ? [] : [sql`d.group_key = ${group}`]),
        ...(chosen === undefined
          ? []
          : [
              sql`(select ${settingsState} from (select 1) one left join router_settings_states t
                on t.organization_id = d.organization_id and t.device_id = d.id and t.router_id = d.router_id) = ${chosen}`,
            ]),
      ],
      estimatable: group === undefined && chosen === undefined,
      columns: sql`d.id as device_id, d.serial, d.vehicle_number, d.group_key, g.name as group_name, d.presence = 'online' as is_online,
        ${settingsState} as state, t.checked_at, t.content as report, jsonb_array_length(${differing}) as differs,
        (select min(x) from jsonb_array_elements_text(${differing}) x) as since,
        coalesce((select count(*)::int from router_settings s, jsonb_object_keys(s.content) where s.organization_id = d.organization_id
          and s.device_id = d.id and s.replaced_at is null), 0) as exceptions, ${appliedColumns}`,
      joins: sql`left join groups g on g.organization_id = d.organization_id and g.key = d.group_key
        left join router_settings_states t on t.organization_id = d.organization_id and t.device_id = d.id and t.router_id = d.router_id
        ${lastApplied}`,
      segments: [
        {
          from: sql`devices d`,
          keys: [
            { column: sql`d.serial`, kind: 'text' as const },
            { column: sql`d.id`, kind: 'uuid' as const },
          ],
          descending: false,
        },
      ],
    }),
    toDto,
  });

// Reads tables of other domains: devices, organizations, routers, sent_commands.
// Statements of jobs, across organizations.
import { routerBackups } from '@highline/contract';
import { sql } from 'kysely';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';

/** An organization whose routers are backed up every night. */
export interface NightlyBackup {
  readonly scope: OrganizationScope;
  readonly hour: number;
  readonly zone: string;
  readonly author: Actor;
  /** Who saved it may not do it any more, and admins know. */
  readonly isStopped: boolean;
}

/** Every organization with nightly backups. */
export async function listNightlyBackups(queries: Queries): Promise<NightlyBackup[]> {
  const { rows } = await sql<{
    organization_id: string;
    main_account_id: string;
    hour: number;
    zone: string;
    author: Actor;
    isStopped: boolean;
  }>`
    select s.organization_id, s.main_account_id, s.hour, s.zone, s.author,
      s.stopped_at is not null as "isStopped" from router_backup_settings s
      join organizations o on o.id = s.organization_id and o.deleted_at is null
    where s.nightly order by s.organization_id`.execute(queries);
  return rows.map(({ organization_id: organizationId, main_account_id: mainAccountId, ...rest }) => ({
    scope: { kind: 'organization', organizationId, mainAccountId },
    ...rest,
  }));
}

/** Note that who saved the settings may not back up routers any more, or may again. @returns whether it was otherwise before */
export async function noteStopped(
  tx: Tx,
  { organizationId }: OrganizationScope,
  author: Actor,
  at: Date | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update router_backup_settings set stopped_at = ${at}::timestamptz
    where organization_id = ${organizationId}::uuid and nightly and author = ${JSON.stringify(author)}::jsonb
      and (stopped_at is null) = (${at}::timestamptz is not null)`.execute(tx);
  return numAffectedRows === 1n;
}

const NIGHT_SECONDS = routerBackups.NIGHT_HOURS * 3_600;

/**
 * Take devices whose turn of a night has come, each once, so that a second process takes none of them again. A device always has the same place in
 * the night. Left out are those whose router cannot, and those with a backup that waits.
 * @returns their ids
 */
export async function takeDueDevices(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { night, secondsSince, limit }: { readonly night: string; readonly secondsSince: number; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`insert into router_backup_states as s (organization_id, device_id, night)
    select d.organization_id, d.id, ${night}::date from devices d left join routers r on r.id = d.router_id
    where d.organization_id = ${organizationId}::uuid and d.archived_at is null
      and ('x' || substr(md5(d.id::text), 1, 7))::bit(28)::int % ${NIGHT_SECONDS} <= ${secondsSince}
      and coalesce((r.reported -> 'offers') ? 'backup-config', true)
      and not exists (select from router_backup_states n where n.organization_id = d.organization_id and n.device_id = d.id
        and n.night = ${night}::date)
      and not exists (select from sent_commands c where c.device_id = d.id and c.kind = 'backup-config' and c.ended_at is null)
    order by d.id limit ${limit}
    on conflict (organization_id, device_id) do update set night = excluded.night
      where s.night is distinct from excluded.night
    returning s.device_id`.execute(tx);
  return rows.map(({ device_id }) => device_id);
}

/**
 * Delete versions that another one replaced longer ago than their organization keeps them: one that was in force for years is what is restored when its
 * successor is wrong, as is seen later. The newest one of a device stays.
 * @returns how many
 */
export async function deleteOldBackups(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from router_backups where (organization_id, id) in (
    select b.organization_id, b.id from router_backups b left join router_backup_settings s on s.organization_id = b.organization_id
      cross join lateral (select ${now}::timestamptz - make_interval(days => coalesce(s.days, ${routerBackups.KEPT_DAYS.usual})::int) as at) since
    where b.created_at < since.at
      and exists (select from router_backups n where n.organization_id = b.organization_id and n.device_id = b.device_id and n.id > b.id
        and n.created_at < since.at)
    order by b.created_at limit ${limit})`.execute(tx);
  return Number(numAffectedRows);
}

const hasDevice = (of: string, archivedBefore: Date) => sql`exists (select from devices d
  where d.organization_id = ${sql.ref(`${of}.organization_id`)} and d.id = ${sql.ref(`${of}.device_id`)}
    and (d.archived_at is null or d.archived_at > ${archivedBefore}::timestamptz))`;

/** Delete what belongs to devices that left, or were deleted so long ago that they cannot be restored. @returns how many versions */
export async function deleteLeftBackups(tx: Tx, archivedBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from router_backups where (organization_id, id) in (
    select b.organization_id, b.id from router_backups b where not ${hasDevice('b', archivedBefore)} limit ${limit})`.execute(tx);
  await sql`delete from router_backup_states where (organization_id, device_id) in (
    select s.organization_id, s.device_id from router_backup_states s where not ${hasDevice('s', archivedBefore)}
    limit ${limit})`.execute(tx);
  return Number(numAffectedRows);
}

/** Delete addresses whose commands have ended long ago. */
export async function deleteOldTransfers(tx: Tx, before: Date): Promise<void> {
  await sql`delete from router_backup_transfers t where t.created_at < ${before}::timestamptz
    and not exists (select from sent_commands c where c.id = t.command_id and c.ended_at is null)`.execute(tx);
}

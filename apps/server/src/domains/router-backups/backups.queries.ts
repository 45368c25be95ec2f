// Reads tables of other domains: devices, routers.
import { routerBackups } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { defineList } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { toBackupDto, toOverdueDto, type BackupRow, type OverdueRow } from './backup.dto.ts';
import { usualBackupSettings } from './backup-settings.ts';

const table = sql`router_backups b`;
const columns = sql`b.id, b.device_id, b.serial, b.model, b.firmware, b.name, b.bytes, b.sha256, b.is_text, b.created_by, b.created_at,
  b.confirmed_at`;

/** Versions of a device of the organization, the newest first. */
export const backupList = (deviceId: string) =>
  defineList({
    of: ({ organizationId }: OrganizationScope, _query: z.output<typeof routerBackups.listBackups.query>) => ({
      name: 'router-backups',
      dependsOn: deviceId,
      table,
      alias: 'b',
      identity: ['organization_id', 'id'],
      ownKey: 'id',
      scope: sql`b.organization_id = ${organizationId}::uuid and b.device_id = ${deviceId}::uuid`,
      filters: [],
      estimatable: false,
      columns,
      segments: [{ from: table, keys: [{ column: sql`b.id`, kind: 'uuid' as const }], descending: true }],
    }),
    toDto: (row: BackupRow) => toBackupDto(row),
  });

const devices = sql`devices d`;
const DAY_MS = 86_400_000;

/** Devices by serial number whose last backup is older than so many days. */
export const overdueList = (now: Date) =>
  defineList({
    of(
      { organizationId }: OrganizationScope,
      { days = routerBackups.OVERDUE_DAYS.usual }: z.output<typeof routerBackups.listOverdue.query>,
    ) {
      const before = new Date(now.getTime() - days * DAY_MS);
      return {
        name: 'router-backups-overdue',
        table: devices,
        alias: 'd',
        identity: ['organization_id', 'id'],
        scope: sql`d.organization_id = ${organizationId}::uuid and d.archived_at is null`,
        filters: [
          sql`not exists (select from router_backup_states s where s.organization_id = d.organization_id and s.device_id = d.id
            and s.backed_up_at > ${before}::timestamptz)`,
        ],
        estimatable: false,
        columns: sql`d.id as device_id, d.serial, d.vehicle_number, d.presence = 'online' as is_online, s.backed_up_at,
          (r.reported -> 'offers') ? 'backup-config' as offered`,
        joins: sql`left join router_backup_states s on s.organization_id = d.organization_id and s.device_id = d.id
          left join routers r on r.id = d.router_id`,
        segments: [
          {
            from: devices,
            keys: [
              { column: sql`d.serial`, kind: 'text' as const },
              { column: sql`d.id`, kind: 'uuid' as const },
            ],
            descending: false,
          },
        ],
      };
    },
    toDto: (row: OverdueRow) => toOverdueDto(row),
  });

/** A device with the router that it has now. */
export interface BackedUpDevice {
  readonly deviceId: string;
  readonly routerId: string;
  readonly serial: string;
  readonly model: string;
  /** Whether its data model takes a backup back; null = unknown. */
  readonly isRestorable: boolean | null;
}

/** A living device of the organization, or undefined; also for an invalid id. */
export async function findBackedUpDevice(
  queries: Queries,
  { organizationId }: OrganizationScope,
  deviceId: string,
): Promise<BackedUpDevice | undefined> {
  if (!isId(deviceId)) return undefined;
  const { rows } =
    await sql<BackedUpDevice>`select d.id as "deviceId", d.router_id as "routerId", d.serial, coalesce(r.model, '') as model,
      (r.reported -> 'offers') ? 'restore-config' as "isRestorable"
    from devices d left join routers r on r.id = d.router_id
    where d.organization_id = ${organizationId}::uuid and d.id = ${deviceId}::uuid and d.archived_at is null`.execute(queries);
  return rows[0];
}

/** A version with its sealed contents. */
export interface StoredBackup extends BackupRow {
  readonly sealed: Buffer;
}

/** A version of a living device of the organization, or undefined; also for an invalid id. */
export async function findBackup(
  queries: Queries,
  { organizationId }: OrganizationScope,
  id: string,
): Promise<StoredBackup | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await sql<StoredBackup>`select ${columns}, b.sealed from router_backups b
    join devices d on d.organization_id = b.organization_id and d.id = b.device_id and d.archived_at is null
    where b.organization_id = ${organizationId}::uuid and b.id = ${id}::uuid`.execute(queries);
  return rows[0];
}

/** Settings of an organization, or the usual ones. */
export async function readBackupSettings(
  queries: Queries,
  { organizationId }: Pick<OrganizationScope, 'organizationId'>,
): Promise<Omit<routerBackups.StoredBackupSettings, 'version'>> {
  const row = await queries
    .selectFrom('router_backup_settings')
    .select(['nightly', 'hour', 'zone', 'versions', 'days', 'author', 'stopped_at'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) return usualBackupSettings;
  const { author, stopped_at: stopped, ...settings } = row;
  return { ...settings, by: author.key?.label ?? author.email, stopped: stopped?.toISOString() ?? null };
}

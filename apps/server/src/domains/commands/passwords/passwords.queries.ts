// Reads tables of other domains: devices, routers.
import type { routerPasswords } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type OrganizationScope } from '../../../kernel/index.ts';
import { defineList, type Fragment } from '../../../platform/listing/index.ts';
import type { Queries } from '../../../platform/ports/database.ts';
import { usualPasswordSettings } from './password-settings.ts';

interface PasswordRow {
  readonly device_id: string;
  readonly serial: string;
  readonly vehicle_number: string | null;
  readonly username: string | null;
  readonly set_at: Date | null;
  readonly pending: 'unconfirmed' | 'waiting' | null;
  readonly offered: boolean | null;
}

const table = sql`devices d`;
/** Passwords of the router that a device has now: nothing of an earlier one, or of an earlier owner. */
const ofDevice = sql`p.organization_id = d.organization_id and p.device_id = d.id and p.router_id = d.router_id`;
/** The one in use that is due first. */
const joins = sql`left join routers r on r.id = d.router_id
  left join lateral (select p.username, p.set_at from router_passwords p where ${ofDevice} and p.state = 'set'
    order by p.set_at limit 1) u on true`;
const columns = sql`d.id as device_id, d.serial, d.vehicle_number, u.username, u.set_at,
  (select min(p.state) from router_passwords p where ${ofDevice} and p.state <> 'set') as pending,
  (r.reported -> 'offers') ? 'set-password' as offered`;

/** Devices whose password is due: one in use is as old as this, or none was set from here. */
export const isDue = (before: Date): Fragment => sql`(
  not exists (select 1 from router_passwords p where ${ofDevice} and p.state = 'set')
  or exists (select 1 from router_passwords p where ${ofDevice} and p.state = 'set' and p.set_at <= ${before}::timestamptz))`;

/** When passwords that are due now were set at the latest; undefined when none is ever due. */
export function dueBefore({ rotateDays }: routerPasswords.PasswordSettings, now: Date): Date | undefined {
  return rotateDays === null ? undefined : new Date(now.getTime() - rotateDays * DAY_MS);
}
const DAY_MS = 86_400_000;

type Query = z.output<typeof routerPasswords.listRouterPasswords.query>;

/** Devices by serial number with the state of their passwords (LIV-11). */
export const passwordList = (settings: routerPasswords.PasswordSettings, now: Date) =>
  defineList({
    of(scope: OrganizationScope, { device, due }: Query) {
      const before = dueBefore(settings, now);
      return {
        name: 'router-passwords',
        table,
        alias: 'd',
        identity: ['organization_id', 'id'],
        scope: sql`d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null`,
        filters: [
          ...(device === undefined ? [] : [isId(device) ? sql`d.id = ${device}::uuid` : sql`false`]),
          ...(due === undefined ? [] : [before === undefined ? sql`false` : isDue(before)]),
        ],
        estimatable: device === undefined && due === undefined,
        columns,
        joins,
        segments: [
          {
            from: table,
            keys: [
              { column: sql`d.serial`, kind: 'text' as const },
              { column: sql`d.id`, kind: 'uuid' as const },
            ],
            descending: false,
          },
        ],
      };
    },
    toDto: (row: PasswordRow) => toPasswordDto(row, settings, now),
  });

function toPasswordDto(row: PasswordRow, settings: routerPasswords.PasswordSettings, now: Date): routerPasswords.RouterPassword {
  const { rotateDays } = settings;
  const due = rotateDays === null || row.set_at === null ? null : new Date(row.set_at.getTime() + rotateDays * DAY_MS);
  return {
    device: row.device_id,
    serial_number: row.serial,
    vehicle_number: row.vehicle_number ?? '',
    username: row.username,
    set: row.set_at?.toISOString() ?? null,
    due: due?.toISOString() ?? null,
    is_due: rotateDays !== null && (due === null || due <= now),
    pending: row.pending,
    offered: row.offered,
  };
}

/** A stored password with its state. */
export interface StoredPassword {
  readonly id: string;
  readonly serial: string;
  readonly username: string;
  readonly sealed: Buffer;
  readonly state: routerPasswords.PasswordState;
  readonly at: Date;
}

/** The most that is shown of a router: one in use of each user, and others that it did not confirm. */
const MOST_SHOWN = 20;

/** What the router of a living device may have, the newest first. @returns undefined without such a device in the organization */
export async function findPasswords(
  queries: Queries,
  { organizationId }: OrganizationScope,
  deviceId: string,
): Promise<readonly StoredPassword[] | undefined> {
  if (!isId(deviceId)) return undefined;
  const { rows } = await sql<DevicePasswordRow>`select p.id, d.serial, p.username, p.sealed, p.state,
      coalesce(p.set_at, p.created_at) as at
    from devices d left join router_passwords p on ${ofDevice}
    where d.organization_id = ${organizationId}::uuid and d.id = ${deviceId}::uuid and d.archived_at is null
    order by p.id desc limit ${MOST_SHOWN}`.execute(queries);
  const isStored = (row: DevicePasswordRow): row is StoredPassword => row.id !== null;
  return rows.length === 0 ? undefined : rows.filter(isStored);
}

/** A device without a password has one row without any. */
type DevicePasswordRow = { readonly [Name in keyof StoredPassword]: StoredPassword[Name] | null } & Pick<
  StoredPassword,
  'serial'
>;

/** Settings of an organization, or the usual ones. */
export async function readPasswordSettings(
  queries: Queries,
  { organizationId }: OrganizationScope,
): Promise<routerPasswords.PasswordSettings> {
  const row = await queries
    .selectFrom('router_password_settings')
    .select(['length', 'symbols', 'rotate_days', 'automatic'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) return usualPasswordSettings;
  return { length: row.length, symbols: row.symbols, rotateDays: row.rotate_days, automatic: row.automatic };
}

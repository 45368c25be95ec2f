import { sql } from 'kysely';
import type { OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { Queries, EsimReport } from '../../platform/ports/index.ts';
import type { ProfileHome } from './validate-profile.ts';

/** Rows per statement of a bulk write. */
export const BATCH = 5_000;

/** A router of the organization by its serial number. */
export interface FoundRouter extends Pick<ProfileHome, 'deviceId' | 'routerId' | 'serial'> {
  /** Reported by the router; null if it was not. */
  readonly reportedEid: string | null;
  readonly vehicle: string;
  /** Its reported eUICC; null = it has none, or has not reported. */
  readonly reported: EsimReport | null;
  /** False = it has reported its SIMs, and none is an eUICC; undefined = it has not reported them yet. */
  readonly hasEuicc: boolean | undefined;
}

/** Columns of `FoundRouter` in `devices d join routers r`. */
const foundColumns = sql`d.id as "deviceId", d.router_id as "routerId", d.serial, d.eid as "reportedEid", d.vehicle_number as vehicle,
  nullif(r.reported -> 'esim', 'null'::jsonb) as reported,
  case when coalesce(r.reported -> 'esim', 'null'::jsonb) <> 'null'::jsonb then true
    when r.reported ? 'esim' or r.reported ->> 'esim_support' = 'false' then false end as "hasEuicc"`;

/** The router of a device, whatever its serial number; undefined = the organization does not have the device. */
export async function findRouterOfProfiles(
  queries: Queries,
  scope: OrganizationScope,
  deviceId: string,
): Promise<FoundRouter | undefined> {
  const { rows } = await sql<FoundRow>`select ${foundColumns} from devices d join routers r on r.id = d.router_id
    where d.organization_id = ${scope.organizationId}::uuid and d.id = ${deviceId}::uuid`.execute(queries);
  return rows[0] && foundRouter(rows[0]);
}

/** The ids of the routers of devices of the organization. */
export async function listRoutersOf(queries: Queries, scope: OrganizationScope, deviceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ router_id: string }>`select d.router_id from devices d
    where d.organization_id = ${scope.organizationId}::uuid and d.id = any (${[...deviceIds]}::uuid[])`.execute(queries);
  return rows.map(({ router_id: id }) => id);
}

interface FoundRow extends Omit<FoundRouter, 'hasEuicc'> {
  readonly hasEuicc: boolean | null;
}

const foundRouter = (row: FoundRow): FoundRouter => ({ ...row, hasEuicc: row.hasEuicc ?? undefined });

/** Routers of the organization by their serial numbers. */
export async function findRoutersBySerial(
  queries: Queries,
  scope: Scope,
  serials: readonly string[],
): Promise<Map<string, FoundRouter>> {
  const found = new Map<string, FoundRouter>();
  const mine =
    scope.kind === 'organization'
      ? sql`d.organization_id = ${scope.organizationId}::uuid`
      : sql`d.main_account_id = ${scope.mainAccountId}::uuid`;
  for (let start = 0; start < serials.length; start += BATCH) {
    const batch = serials.slice(start, start + BATCH).filter((serial) => !serial.includes('\0'));
    const { rows } = await sql<FoundRow>`select ${foundColumns} from devices d join routers r on r.id = d.router_id
      where ${mine} and d.archived_at is null and d.serial = any (${batch}::text[])`.execute(queries);
    for (const row of rows) found.set(row.serial, foundRouter(row));
  }
  return found;
}

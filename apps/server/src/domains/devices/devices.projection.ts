import { sql } from 'kysely';
import type { Tx } from '../../ports/database.ts';

/** A living device whose row was brought up to date with its router. */
export interface ProjectedDevice {
  readonly id: string;
  readonly organization_id: string;
  readonly main_account_id: string;
}

/** A text of what a router told, short enough for the lists' indexes. */
const told = (column: string) => sql`left(r.reported ->> ${sql.lit(column)}, 200)`;

const presenceColumns = sql`d.presence, d.presence_since, d.presence_reason, d.last_seen_at`;
const presenceOfRouter = sql`r.presence, r.presence_since, r.presence_reason, r.last_seen_at`;

const reportedColumns = sql`d.model, d.hardware_version, d.firmware, d.config, d.config_version, d.booted_at, d.carrier, d.technology, d.imei,
  d.imsi, d.iccid, d.mtn, d.eid, d.rssi`;
const reportedByRouter = sql`${told('model')}, ${told('hardware_version')}, ${told('firmware')}, ${told('config')}, ${told('config_version')},
  (r.reported ->> 'booted_at')::timestamptz, ${told('carrier')}, ${told('technology')}, ${told('imei')}, ${told('imsi')},
  ${told('iccid')}, ${told('mtn')}, ${told('eid')}, (r.reported ->> 'rssi')::real`;

// The three below need no scope: a router's own row says which device of which organization claims it, at this very moment, and
// nothing of another organization can be reached through it. The caller holds the rows of these routers locked.

/** Copy how routers are connected onto the living devices that claim them. Answers the devices. */
export async function projectPresence(tx: Tx, routerIds: readonly string[]): Promise<readonly ProjectedDevice[]> {
  const { rows } = await sql<ProjectedDevice>`
    update devices d set (presence, presence_since, presence_reason, last_seen_at) = row (${presenceOfRouter})
    from routers r where ${claimedBy(routerIds)} and (${presenceColumns}) is distinct from (${presenceOfRouter})
    returning d.id, d.organization_id, d.main_account_id`.execute(tx);
  return rows;
}

/** Copy what routers told of themselves (DEV-09) onto the living devices that claim them. Answers the devices it changed. */
export async function projectReported(tx: Tx, routerIds: readonly string[]): Promise<readonly ProjectedDevice[]> {
  const { rows } = await sql<ProjectedDevice>`
    update devices d set (model, hardware_version, firmware, config, config_version, booted_at, carrier, technology, imei, imsi, iccid, mtn, eid,
      rssi) = row (${reportedByRouter})
    from routers r where ${claimedBy(routerIds)} and (${reportedColumns}) is distinct from (${reportedByRouter})
    returning d.id, d.organization_id, d.main_account_id`.execute(tx);
  return rows;
}

/** Copy only what changes all the time: when a router was last heard and how strong its signal is. No index holds either. */
export async function projectLastHeard(tx: Tx, routerIds: readonly string[]): Promise<void> {
  await sql`update devices d set last_seen_at = r.last_seen_at, rssi = (r.reported ->> 'rssi')::real
    from routers r where ${claimedBy(routerIds)}`.execute(tx);
}

function claimedBy(routerIds: readonly string[]) {
  return sql`r.id = any (${[...routerIds]}::uuid[]) and d.organization_id = r.organization_id and d.id = r.device_id
    and d.archived_at is null`;
}

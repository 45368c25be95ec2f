import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { PresenceColumns, ReportedColumns } from '../../platform/ports/tables.ts';

/** A living device whose row was updated from its router. */
export interface ProjectedDevice {
  readonly id: string;
  readonly organization_id: string;
  readonly main_account_id: string;
}

/** A text reported by a router, short enough for the lists' indexes. */
const reportedText = (column: string) => sql`left(r.reported ->> ${sql.lit(column)}, 200)`;

type Expressions<Columns> = Readonly<Record<keyof Columns, Fragment>>;

/** Columns of `devices` for the connection of its router, each with its value from `routers r`. */
const presenceOf: Expressions<PresenceColumns> = {
  presence: sql`r.presence`,
  presence_since: sql`r.presence_since`,
  presence_reason: sql`r.presence_reason`,
};

/** Columns of `devices` for what its router reported (DEV-09), each with its value from `routers r`. */
const reportedOf: Expressions<ReportedColumns> = {
  model: reportedText('model'),
  hardware_version: reportedText('hardware_version'),
  firmware: reportedText('firmware'),
  config: reportedText('config'),
  config_version: reportedText('config_version'),
  booted_at: sql`(r.reported ->> 'booted_at')::timestamptz`,
  carrier: reportedText('carrier'),
  technology: reportedText('technology'),
  imei: reportedText('imei'),
  imsi: reportedText('imsi'),
  iccid: reportedText('iccid'),
  mtn: reportedText('mtn'),
  eid: reportedText('eid'),
};

const routerFacts = { ...presenceOf, ...reportedOf };

/** Every column of `devices` that mirrors its router: a claim inserts these with `mirroredValues`. */
export const mirroredColumns = sql.join(Object.keys(routerFacts).map((column) => sql.ref(column)));
/** Their values from `routers r`, in the same order. */
export const mirroredValues = sql.join(Object.values(routerFacts));

/** Copy columns of routers onto the living devices that claim them, where they differ. */
async function project(
  tx: Tx,
  routerIds: readonly string[],
  columns: Readonly<Record<string, Fragment>>,
): Promise<readonly ProjectedDevice[]> {
  const names = Object.keys(columns);
  const values = sql.join(Object.values(columns));
  const { rows } = await sql<ProjectedDevice>`
    update devices d set (${sql.join(names.map((name) => sql.ref(name)))}) = row (${values})
    from routers r where ${claimedBy(routerIds)}
      and (${sql.join(names.map((name) => sql.ref(`d.${name}`)))}) is distinct from (${values})
    returning d.id, d.organization_id, d.main_account_id`.execute(tx);
  return rows;
}

// The two below need no scope: a router's own row names the device and organization that claim it now, and nothing of another
// organization can be reached through it. The caller has these router rows locked.

/** Copy the connection state of routers onto the living devices that claim them. @returns the devices */
export function projectPresence(tx: Tx, routerIds: readonly string[]): Promise<readonly ProjectedDevice[]> {
  return project(tx, routerIds, presenceOf);
}

/** Copy what routers reported (DEV-09) onto the living devices that claim them. @returns the changed devices */
export function projectReported(tx: Tx, routerIds: readonly string[]): Promise<readonly ProjectedDevice[]> {
  return project(tx, routerIds, reportedOf);
}

function claimedBy(routerIds: readonly string[]) {
  return sql`r.id = any (${[...routerIds]}::uuid[]) and d.organization_id = r.organization_id and d.id = r.device_id
    and d.archived_at is null`;
}

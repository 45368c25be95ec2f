import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { facts, type Fact } from './facts.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';

/** A living device whose row was updated from its router. */
export type ProjectedDevice = Row<'devices', 'id' | 'organization_id' | 'main_account_id'>;

type Columns = Readonly<Record<string, Fragment>>;

/** Columns of `devices` for the connection of its router, each with its value from `routers r`. */
const presenceOf: Readonly<Record<'presence' | 'presence_since' | 'presence_reason', Fragment>> = {
  presence: sql`r.presence`,
  presence_since: sql`r.presence_since`,
  presence_reason: sql`r.presence_reason`,
};

/** Columns of `devices` for what its router reported (DEV-09), each with its value from `routers r`. */
const reportedOf: Columns = Object.fromEntries(facts.map((fact) => [fact.key, valueOf(fact)]));

/** Texts are cut so that the indexes of lists can hold them. */
function valueOf({ key, format }: Fact): Fragment {
  return format === 'uptime'
    ? sql`(r.reported ->> ${sql.lit(key)})::timestamptz`
    : sql`left(r.reported ->> ${sql.lit(key)}, 200)`;
}

const mirrored: Columns = { ...presenceOf, ...reportedOf };

/** Every column of `devices` that mirrors its router. */
export const mirroredNames: readonly string[] = Object.keys(mirrored);
/** The same as SQL: a claim inserts these with `mirroredValues`. */
export const mirroredColumns = sql.join(mirroredNames.map((column) => sql.ref(column)));
/** Their values from `routers r`, in the same order. */
export const mirroredValues = sql.join(Object.values(mirrored));

/**
 * Copy columns of routers onto the living devices that claim them, where they differ. The routers are read first: without statistics
 * the planner would look for each of them once for each device of the organization.
 */
async function project(tx: Tx, routerIds: readonly string[], columns: Columns): Promise<readonly ProjectedDevice[]> {
  const names = Object.keys(columns);
  const values = sql.join(Object.values(columns));
  const { rows } = await sql<ProjectedDevice>`${plannedOnce}
    with r as materialized (
      select organization_id, device_id, presence, presence_since, presence_reason, reported from routers
      where id = any (${[...routerIds]}::uuid[])
    )
    update devices d set (${sql.join(names.map((name) => sql.ref(name)))}) = row (${values})
    from r where d.organization_id = r.organization_id and d.id = r.device_id and d.archived_at is null
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

import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Row, Tx } from '../../platform/ports/index.ts';
import { devicesOf } from './device.filters.ts';

/** The values of a device that many can be changed in, locked. */
export type BulkDevice = Row<
  'devices',
  'id' | 'organization_id' | 'serial' | 'router_id' | 'group_key' | 'tags' | 'started_on' | 'expires_on'
>;

const columns = sql`d.id, d.organization_id, d.serial, d.router_id, d.group_key, d.tags, d.started_on, d.expires_on`;

function chosen(scope: OrganizationScope, ids: readonly string[]): Fragment {
  return sql`${devicesOf(scope)} and d.id = any (${[...ids]}::uuid[])`;
}

/** Living devices of the organization, without a lock. */
export async function peekLocations(tx: Tx, scope: OrganizationScope, ids: readonly string[]): Promise<BulkDevice[]> {
  return (await sql<BulkDevice>`select ${columns} from devices d where ${chosen(scope, ids)}`.execute(tx)).rows;
}

/** The same, locked in the order of their ids. */
export async function lockForBulk(tx: Tx, scope: OrganizationScope, ids: readonly string[]): Promise<BulkDevice[]> {
  const { rows } = await sql<BulkDevice>`
    select ${columns} from devices d where ${chosen(scope, ids)} order by d.id for no key update`.execute(tx);
  return rows;
}

const assignments = {
  group: (value: Fragment) => sql`group_key = ${value} #>> '{}'`,
  subscription: (value: Fragment) =>
    sql`started_on = (${value} ->> 'startedOn')::date, expires_on = (${value} ->> 'expiresOn')::date`,
  tags: (value: Fragment) => sql`tags = array(select jsonb_array_elements_text(${value}))`,
} as const;

/** Write one value of each of these locked devices, and increment their versions. */
export async function writeBulk(
  tx: Tx,
  scope: OrganizationScope,
  facet: keyof typeof assignments,
  values: readonly { readonly id: string; readonly to: unknown }[],
  now: Date,
): Promise<void> {
  const ids = values.map(({ id }) => id);
  const to = values.map((value) => JSON.stringify(value.to));
  const stamp = sql`version = d.version + 1, updated_at = ${now}::timestamptz`;
  // Without a join where all get the same value: it takes half the time.
  if (new Set(to).size === 1)
    await sql`update devices d set ${assignments[facet](sql`${to[0]}::jsonb`)}, ${stamp} where ${chosen(scope, ids)}`.execute(tx);
  else
    await sql`update devices d set ${assignments[facet](sql`n.value`)}, ${stamp}
      from unnest(${ids}::uuid[], ${to}::jsonb[]) as n (id, value) where ${chosen(scope, ids)} and d.id = n.id`.execute(tx);
}

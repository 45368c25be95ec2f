import type { inventory } from '@highline/contract';
import { sql } from 'kysely';
import { manyOf } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { MainScope } from '../../kernel/scope.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { untilUsed } from './secret-overlap.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'routers.reported': Record<string, unknown>;
  }
}

/** A router to be added to the inventory. */
export interface NewRouter {
  readonly id: string;
  readonly serial: string;
  readonly mac: string;
  readonly model: string;
  readonly endpointId: string;
  readonly secretHash: Buffer;
}

/** Rows per statement of a bulk write. */
export const BATCH = 5_000;

/** Insert routers; one whose serial, MAC or endpoint id is already in any inventory is left out. @returns the inserted ids */
export async function insertRouters(tx: Tx, scope: MainScope, routers: readonly NewRouter[], now: Date): Promise<Set<string>> {
  const inserted = new Set<string>();
  for (let start = 0; start < routers.length; start += BATCH) {
    const batch = routers.slice(start, start + BATCH);
    const { rows } = await sql<Row<'routers', 'id'>>`
      insert into routers (id, main_account_id, serial, mac, model, endpoint_id, secret_hash, created_at)
      select n.id, ${scope.mainAccountId}::uuid, n.serial, n.mac, n.model, n.endpoint_id, n.secret_hash, ${now}::timestamptz
      from unnest(
        ${batch.map((router) => router.id)}::uuid[], ${batch.map((router) => router.serial)}::text[],
        ${batch.map((router) => router.mac)}::text[], ${batch.map((router) => router.model)}::text[],
        ${batch.map((router) => router.endpointId)}::text[], ${batch.map((router) => router.secretHash)}::bytea[]
      ) as n (id, serial, mac, model, endpoint_id, secret_hash)
      on conflict do nothing returning id`.execute(tx);
    for (const { id } of rows) inserted.add(id);
  }
  return inserted;
}

/** The names of a router: each is unique over all inventories. */
export interface RouterNames {
  readonly serial: string;
  readonly mac: string;
  readonly endpointId: string;
}

/** Which name of a router is already in an inventory: a name of one of ours, or any name of another main account's. */
export type Collision = 'serial' | 'mac' | 'endpoint' | 'elsewhere';

/**
 * Find the routers whose serial number, MAC address or endpoint id is already in an inventory. For another main account's router
 * the response does not say which of the three it is.
 */
export async function findCollisions<Router extends RouterNames>(
  queries: Queries,
  scope: MainScope,
  routers: readonly Router[],
): Promise<Map<Router, Collision>> {
  const collisions = new Map<Router, Collision>();
  for (let start = 0; start < routers.length; start += BATCH) {
    const batch = routers.slice(start, start + BATCH);
    const { rows } = await sql<{ place: number; collision: Collision | null }>`
      select n.place::int as place, (
        select case when r.main_account_id <> ${scope.mainAccountId}::uuid then 'elsewhere'
          when upper(r.serial) = upper(n.serial) then 'serial' when r.mac = n.mac then 'mac' else 'endpoint' end
        from (
          select * from routers where serial = n.serial
          union all select * from routers where upper(serial) = upper(n.serial) and not is_duplicate_serial
          union all select * from routers where mac = n.mac
          union all select * from routers where endpoint_id = n.endpoint_id
        ) r order by r.main_account_id = ${scope.mainAccountId}::uuid desc, upper(r.serial) = upper(n.serial) desc, r.mac = n.mac desc limit 1
      ) as collision
      from unnest(
        ${batch.map(({ serial }) => serial)}::text[], ${batch.map(({ mac }) => mac)}::text[],
        ${batch.map(({ endpointId }) => endpointId)}::text[]
      ) with ordinality as n (serial, mac, endpoint_id, place)`.execute(queries);
    for (const { place, collision } of rows) if (collision !== null) collisions.set(batch[place - 1]!, collision);
  }
  return collisions;
}

/**
 * Give a router another endpoint id.
 * @returns where the id is already in use, then nothing changed; undefined = done
 * @throws a unique violation if another router gets this id concurrently
 */
export async function changeEndpointId(
  tx: Tx,
  scope: MainScope,
  id: string,
  endpointId: string,
): Promise<'endpoint' | 'elsewhere' | undefined> {
  const other = await tx.selectFrom('routers').select('main_account_id').where('endpoint_id', '=', endpointId).executeTakeFirst();
  if (other !== undefined) return other.main_account_id === scope.mainAccountId ? 'endpoint' : 'elsewhere';
  await tx
    .updateTable('routers')
    .set({ endpoint_id: endpointId })
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', id)
    .execute();
  return undefined;
}

/** Set how a router proves its identity. */
export async function changeAuthentication(
  tx: Tx,
  scope: MainScope,
  id: string,
  authentication: inventory.Authentication,
): Promise<void> {
  await tx
    .updateTable('routers')
    .set({ authentication })
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', id)
    .execute();
}

/** Lock routers of the inventory, in the order of their ids as everywhere. */
export async function lockRouters(tx: Tx, scope: MainScope, ids: readonly string[]) {
  return tx
    .selectFrom('routers')
    .select(['id', 'serial', 'mac', 'endpoint_id', 'authentication', 'organization_id'])
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', 'in', manyOf(ids, 'uuid'))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Delete routers that no device claims; the caller has them locked. Those who had them keep their serial numbers. */
export async function deleteRouters(tx: Tx, scope: MainScope, ids: readonly string[]): Promise<void> {
  await sql`update router_ownership w set serial = r.serial from routers r
    where r.main_account_id = ${scope.mainAccountId}::uuid and r.id in ${manyOf(ids, 'uuid')} and w.router_id = r.id`.execute(tx);
  await tx
    .deleteFrom('routers')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', 'in', manyOf(ids, 'uuid'))
    .execute();
}

/**
 * Replace a router's secret. The one that it uses stays valid until it has used the new one: of a secret that was never used nothing is
 * kept.
 */
export async function replaceSecret(tx: Tx, { mainAccountId }: MainScope, id: string, secretHash: Buffer): Promise<void> {
  await sql`update routers set secret_hash = ${secretHash}, previous_secret_until = ${untilUsed},
      previous_secret_hash = case when previous_secret_until = ${untilUsed} then previous_secret_hash else secret_hash end
    where main_account_id = ${mainAccountId}::uuid and id = ${id}::uuid`.execute(tx);
}

/** Only the newest secret of a router is valid from now on. @returns false when it was the only one */
export async function dropPreviousSecret(tx: Tx, { mainAccountId }: MainScope, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`update routers set previous_secret_hash = null, previous_secret_until = null
    where main_account_id = ${mainAccountId}::uuid and id = ${id}::uuid and previous_secret_until > ${now}::timestamptz
    returning id`.execute(tx);
  return rows.length > 0;
}

import { sql } from 'kysely';
import { manyOf } from '../../listing/index.ts';
import type { Tx } from '../../ports/database.ts';
import type { MainScope } from '../../scope.ts';

/** A router about to enter the inventory. */
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

/** Enter routers; one whose serial or MAC is in any inventory already is left out. Answers the ids that went in. */
export async function insertRouters(tx: Tx, scope: MainScope, routers: readonly NewRouter[], now: Date): Promise<Set<string>> {
  const inserted = new Set<string>();
  for (let start = 0; start < routers.length; start += BATCH) {
    const batch = routers.slice(start, start + BATCH);
    const { rows } = await sql<{ id: string }>`
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

/** Which of these serial numbers stand in any inventory; it is not told in whose. */
export async function takenSerials(tx: Tx, serials: readonly string[]): Promise<Set<string>> {
  const rows = await tx.selectFrom('routers').select('serial').where('serial', 'in', manyOf(serials, 'text')).execute();
  return new Set(rows.map(({ serial }) => serial));
}

/** Which of these MAC addresses stand in any inventory. */
export async function takenMacs(tx: Tx, macs: readonly string[]): Promise<Set<string>> {
  const rows = await tx.selectFrom('routers').select('mac').where('mac', 'in', manyOf(macs, 'text')).execute();
  return new Set(rows.map(({ mac }) => mac));
}

/** Lock routers of the inventory, in the order of their ids as everybody locks them. */
export async function lockRouters(tx: Tx, scope: MainScope, ids: readonly string[]) {
  return tx
    .selectFrom('routers')
    .select(['id', 'serial', 'mac', 'organization_id'])
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', 'in', manyOf(ids, 'uuid'))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Deletes routers that no device claims; the caller holds them locked. */
export async function deleteRouters(tx: Tx, scope: MainScope, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('routers')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', 'in', manyOf(ids, 'uuid'))
    .execute();
}

/** Replace a router's secret; the one so far stays valid until `overlapUntil`. False when there is no such router. */
export async function replaceSecret(
  tx: Tx,
  scope: MainScope,
  id: string,
  secretHash: Buffer,
  overlapUntil: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('routers')
    .set((row) => ({
      previous_secret_hash: row.ref('secret_hash'),
      previous_secret_until: overlapUntil,
      secret_hash: secretHash,
    }))
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

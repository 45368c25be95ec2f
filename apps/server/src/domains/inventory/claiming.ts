import { sql } from 'kysely';
import { manyOf } from '../../platform/listing/index.ts';
import type { Queries, Tx, Row } from '../../platform/ports/index.ts';
import { isId } from '../../kernel/ids.ts';
import type { Scope } from '../../kernel/scope.ts';
import { BATCH } from './inventory.store.ts';

/** A router of the caller's main account, with the fields that a claim needs. */
export interface ClaimableRouter extends Row<'routers', 'id' | 'serial' | 'mac'> {
  readonly claimed: boolean;
}

/**
 * Look up serial numbers, in any case, in the inventory of the scope's main account. Another main account's router is not found, like an
 * unknown serial.
 * @returns the routers by the serial numbers as they were given
 */
export async function findRouters(
  queries: Queries,
  scope: Scope,
  serials: readonly string[],
): Promise<Map<string, ClaimableRouter>> {
  const found = new Map<string, ClaimableRouter>();
  for (let start = 0; start < serials.length; start += BATCH) {
    const batch = serials.slice(start, start + BATCH).filter((serial) => !serial.includes('\0'));
    for (const row of await selectRouters(queries, scope, 'serial', batch)) found.set(row.serial, row);
    const missing = batch.filter((serial) => !found.has(serial));
    const others = missing.length === 0 ? [] : await selectRouters(queries, scope, 'upper', missing.map(upper));
    const inAnyCase = new Map(others.map((row) => [upper(row.serial), row]));
    for (const serial of missing) {
      const row = inAnyCase.get(upper(serial));
      if (row !== undefined) found.set(serial, row);
    }
  }
  return found;
}

const upper = (serial: string) => serial.toUpperCase();

/** Routers with these serial numbers: as they are written, or in capitals. */
async function selectRouters(
  queries: Queries,
  scope: Scope,
  by: 'serial' | 'upper',
  serials: readonly string[],
): Promise<ClaimableRouter[]> {
  const column = by === 'serial' ? sql<string>`serial` : sql<string>`upper(serial)`;
  const found = queries
    .selectFrom('routers')
    .select(['id', 'serial', 'mac', 'organization_id'])
    .where('main_account_id', '=', scope.mainAccountId)
    .where(column, 'in', manyOf(serials, 'text'));
  const rows = await (by === 'serial' ? found : found.where(sql<boolean>`not is_duplicate_serial`)).execute();
  return rows.map(({ organization_id: owner, ...row }) => ({ ...row, claimed: owner !== null }));
}

/** The serial numbers of routers of the scope's main account as they are stored, by those that were given in any case. */
export async function storedSerials(queries: Queries, scope: Scope, serials: readonly string[]): Promise<Map<string, string>> {
  const found = await findRouters(queries, scope, [...new Set(serials)]);
  return new Map([...found].map(([given, { serial }]) => [given, serial]));
}

/** Ids and serial numbers of devices, the serial numbers as they are stored; those that are unknown as they were given. */
export async function storedNames(queries: Queries, scope: Scope, names: readonly string[]): Promise<string[]> {
  const stored = await storedSerials(
    queries,
    scope,
    names.filter((name) => !isId(name)),
  );
  return names.map((name) => stored.get(name) ?? name);
}

/**
 * Unclaimed routers of one model, by serial number, from the given one on (OLD-04).
 * @param limit the most routers returned
 */
export async function listFreeRouters(
  queries: Queries,
  scope: Scope,
  { model, from, limit }: { readonly model: string; readonly from: string; readonly limit: number },
): Promise<Omit<ClaimableRouter, 'claimed'>[]> {
  return queries
    .selectFrom('routers')
    .select(['id', 'serial', 'mac'])
    .where('main_account_id', '=', scope.mainAccountId)
    .where('organization_id', 'is', null)
    .where(sql<boolean>`model collate "C" = ${model}`)
    .where('serial', '>=', from)
    .orderBy('serial')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Lock those of the routers that are unclaimed, until the transaction ends: of two concurrent claims exactly one gets the router.
 * Always in the order of ids, so that two bulk claims cannot deadlock.
 */
export async function lockUnclaimed(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const locked = new Set<string>();
  const ordered = [...ids].sort();
  for (let start = 0; start < ordered.length; start += BATCH) {
    const rows = await tx
      .selectFrom('routers')
      .select('id')
      .where('main_account_id', '=', scope.mainAccountId)
      .where('id', 'in', manyOf(ordered.slice(start, start + BATCH), 'uuid'))
      .where('organization_id', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    for (const { id } of rows) locked.add(id);
  }
  return locked;
}

/** A device that claims a router. */
export interface RouterClaim {
  readonly routerId: string;
  readonly organizationId: string;
  readonly deviceId: string;
}

/** Assign locked routers to their devices; their history belongs to the organization from now on. */
export async function assignRouters(tx: Tx, scope: Scope, claims: readonly RouterClaim[], now: Date): Promise<void> {
  for (let start = 0; start < claims.length; start += BATCH) {
    const batch = claims.slice(start, start + BATCH);
    const rows = sql`unnest(${batch.map((claim) => claim.routerId)}::uuid[],
      ${batch.map((claim) => claim.organizationId)}::uuid[], ${batch.map((claim) => claim.deviceId)}::uuid[]
    ) as n (router_id, organization_id, device_id)`;
    await sql`update routers r set organization_id = n.organization_id, device_id = n.device_id from ${rows}
      where r.id = n.router_id and r.main_account_id = ${scope.mainAccountId}::uuid`.execute(tx);
    // Never within an earlier interval, even if a clock went back: the history of two owners must not overlap.
    await sql`insert into router_ownership (router_id, owned_from, organization_id, device_id)
      select n.router_id, greatest(${now}::timestamptz, (
          select max(coalesce(o.owned_until, o.owned_from)) + interval '1 microsecond' from router_ownership o
          where o.router_id = n.router_id
        )), n.organization_id, n.device_id from ${rows}`.execute(tx);
  }
}

/**
 * Assign claimed routers to other devices or organizations: the interval of the previous owner ends where the next begins. The
 * caller has the routers locked.
 */
export async function reassignRouters(tx: Tx, scope: Scope, claims: readonly RouterClaim[], now: Date): Promise<void> {
  await endOwnership(
    tx,
    claims.map(({ routerId }) => routerId),
    now,
  );
  await assignRouters(tx, scope, claims, now);
}

/** Lock routers in the order of their ids, claimed or not. */
export async function lockRoutersInOrder(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  await tx
    .selectFrom('routers')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    // One parameter per value: in a join with a list of values, routers without statistics may be compared with every value.
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Return routers to stock. Their secrets stay valid, so that a router that keeps connecting shows up as unclaimed to its main
 * account (DECISIONS, Inventory and claiming).
 */
export async function releaseRouters(tx: Tx, scope: Scope, ids: readonly string[], now: Date): Promise<void> {
  await endOwnership(tx, ids, now);
  await sql`update routers set organization_id = null, device_id = null
    where id in ${manyOf(ids, 'uuid')} and main_account_id = ${scope.mainAccountId}::uuid`.execute(tx);
}

async function endOwnership(tx: Tx, routerIds: readonly string[], now: Date): Promise<void> {
  await sql`update router_ownership set owned_until = greatest(${now}::timestamptz, owned_from)
    where router_id = any(${[...routerIds]}::uuid[]) and owned_until is null`.execute(tx);
}

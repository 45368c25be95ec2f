import { sql } from 'kysely';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Contact } from '../../../platform/ports/contacts.ts';
import type { Queries, Tx } from '../../../platform/ports/database.ts';
import { insertChangedFacts } from '../history/router-facts.ts';
import { projectPresence, projectReported, type ProjectedDevice } from '../projection.ts';
import type { RouterChange } from './presence.changes.ts';

// No function here takes a scope: each gets the ids of routers that authenticated, and a router's own row names its organization.

/** Two computed start times of one boot may differ by this many seconds. */
const SAME_BOOT_SECONDS = 10;
/** A router's clock is reported in whole seconds: a smaller difference is no change. */
const SAME_SKEW_MS = 1_000;

interface LockedRouter {
  readonly id: string;
  readonly main_account_id: string;
}

/**
 * Write changes of routers: their rows, the devices that claim them, their history, and events for the affected consoles.
 * @returns ids of routers that are not in any inventory any more
 */
export async function writeChanges(tx: Tx, changes: readonly RouterChange[]): Promise<readonly string[]> {
  const routers = await lockInOrder(
    tx,
    changes.map(({ routerId }) => routerId),
  );
  const there = new Set(routers.map(({ id }) => id));
  const known = changes.filter(({ routerId }) => there.has(routerId));
  const devices = [...(await writeStates(tx, known)), ...(await writeReported(tx, known))];
  await insertEvents(tx, known);
  await announceChanges(tx, routers, known, devices);
  return changes.map(({ routerId }) => routerId).filter((id) => !there.has(id));
}

/** In the order of their ids, as everywhere several routers are locked, to avoid deadlocks. */
async function lockInOrder(tx: Tx, ids: readonly string[]): Promise<readonly LockedRouter[]> {
  return tx
    .selectFrom('routers')
    .select(['id', 'main_account_id'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

async function writeStates(tx: Tx, changes: readonly RouterChange[]): Promise<readonly ProjectedDevice[]> {
  const states = changes.flatMap(({ routerId, state }) => (state === undefined ? [] : [{ routerId, ...state }]));
  if (states.length === 0) return [];
  const ids = states.map(({ routerId }) => routerId);
  await sql`update routers r set presence = n.presence, presence_since = n.since, presence_reason = n.reason
    from unnest(
      ${ids}::uuid[], ${states.map(({ presence }) => presence)}::text[], ${states.map(({ since }) => since.toISOString())}::timestamptz[],
      ${states.map(({ reason }) => reason)}::text[]
    ) as n (id, presence, since, reason) where r.id = n.id`.execute(tx);
  await writeContacts(
    tx,
    states.flatMap(({ routerId, contact }) => (contact === null ? [] : [{ routerId, contact }])),
  );
  return projectPresence(tx, ids);
}

async function writeReported(tx: Tx, changes: readonly RouterChange[]): Promise<readonly ProjectedDevice[]> {
  const reporting = changes.filter(({ reported, clockSkewMs }) => reported !== undefined || clockSkewMs !== undefined);
  if (reporting.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with news as (
      select r.id, n.skew, n.reported - case when abs(extract(epoch from
        (n.reported ->> 'booted_at')::timestamptz - (r.reported ->> 'booted_at')::timestamptz)) < ${SAME_BOOT_SECONDS} then 'booted_at'
        else '' end as reported
      from unnest(
        ${reporting.map(({ routerId }) => routerId)}::uuid[], ${reporting.map(({ reported }) => JSON.stringify(reported ?? {}))}::jsonb[],
        ${reporting.map(({ clockSkewMs }) => clockSkewMs ?? null)}::integer[]
      ) as n (id, reported, skew) join routers r on r.id = n.id
    ), facts as (${insertChangedFacts(sql`news`)})
    update routers r set reported = r.reported || n.reported, clock_skew_ms = coalesce(n.skew, r.clock_skew_ms) from news n
    where r.id = n.id and (not r.reported @> n.reported
      or n.skew is not null and (r.clock_skew_ms is null or abs(r.clock_skew_ms - n.skew) >= ${SAME_SKEW_MS}))
    returning r.id`.execute(tx);
  return rows.length === 0
    ? []
    : projectReported(
        tx,
        rows.map(({ id }) => id),
      );
}

async function insertEvents(tx: Tx, changes: readonly RouterChange[]): Promise<void> {
  const events = changes.flatMap((change) => change.events);
  if (events.length === 0) return;
  await sql`insert into connectivity (router_id, at, kind, reason)
    select * from unnest(
      ${events.map(({ routerId }) => routerId)}::uuid[], ${events.map(({ at }) => at.toISOString())}::timestamptz[],
      ${events.map(({ kind }) => kind)}::text[], ${events.map(({ reason }) => reason)}::text[]
    )`.execute(tx);
}

/** One event per organization, however many of its devices changed, and one per main account for its inventory. */
async function announceChanges(
  tx: Tx,
  routers: readonly LockedRouter[],
  changes: readonly RouterChange[],
  devices: readonly ProjectedDevice[],
): Promise<void> {
  for (const [organizationId, own] of Map.groupBy(devices, (device) => device.organization_id)) {
    const scope = { kind: 'organization', mainAccountId: own[0]!.main_account_id, organizationId } as const;
    await announce(tx, scope, 'devices', [...new Set(own.map(({ id }) => id))]);
  }
  const moved = new Set(changes.flatMap(({ routerId, state }) => (state === undefined ? [] : [routerId])));
  const visible = routers.filter(({ id }) => moved.has(id));
  for (const [mainAccountId, own] of Map.groupBy(visible, (router) => router.main_account_id)) {
    const ids = own.map(({ id }) => id);
    await announce(tx, { kind: 'main', mainAccountId }, 'inventory', ids);
  }
}

/** The last contact of one router, to be written. */
export interface RouterContact {
  readonly routerId: string;
  readonly contact: Contact;
}

/**
 * Write when routers were last in contact. Changes neither `routers` nor `devices`, and notifies no console. Routers that were
 * removed from the inventory are left out.
 */
export async function writeContacts(tx: Tx, contacts: readonly RouterContact[]): Promise<void> {
  if (contacts.length === 0) return;
  await sql`
    with input as (
      select * from unnest(
        ${contacts.map(({ routerId }) => routerId)}::uuid[], ${contacts.map(({ contact }) => contact.at.toISOString())}::timestamptz[],
        ${contacts.map(({ contact }) => contact.rssi ?? null)}::real[], ${contacts.map(({ contact }) => contact.rssi !== undefined)}::boolean[]
      ) as n (router_id, at, rssi, is_stated)
    ), locked as materialized (
      select c.router_id from router_contacts c join input n on n.router_id = c.router_id order by c.router_id for no key update of c
    ), updated as (
      update router_contacts c set last_contact_at = greatest(c.last_contact_at, n.at),
        rssi = case when n.is_stated then n.rssi else c.rssi end
      from locked join input n on n.router_id = locked.router_id where c.router_id = locked.router_id
      returning c.router_id
    )
    insert into router_contacts (router_id, last_contact_at, rssi)
    select r.id, n.at, n.rssi from input n join routers r on r.id = n.router_id
    where not exists (select from updated u where u.router_id = n.router_id)
    order by r.id for key share of r
    on conflict (router_id) do update set last_contact_at = greatest(router_contacts.last_contact_at, excluded.last_contact_at),
      rssi = coalesce(excluded.rssi, router_contacts.rssi)`.execute(tx);
}

/** A router whose row does not say offline. */
export interface NotOffline {
  readonly id: string;
  readonly presence: 'online' | 'unknown';
}

/** Up to `limit` routers that are not offline, by id. @param after the last id of the page before */
export async function pageNotOffline(queries: Queries, after: string, limit: number): Promise<readonly NotOffline[]> {
  const { rows } = await sql<NotOffline>`
    select id, presence from routers where presence <> 'offline' and id > ${after}::uuid order by id limit ${limit}`.execute(
    queries,
  );
  return rows;
}

/**
 * Of the next `limit` routers that are not offline, set those that are online to unknown unless they are connected. Their
 * connection is checked after their rows are locked: a connection that begins later is written later.
 * @param after the last id of the page before
 * @returns the last id of this page; undefined = there are no more
 */
export async function clearOnline(
  tx: Tx,
  after: string,
  limit: number,
  { now, isConnected }: { readonly now: Date; isConnected(routerId: string): boolean },
): Promise<string | undefined> {
  const { rows } = await sql<NotOffline>`
    select id, presence from routers where presence <> 'offline' and id > ${after}::uuid order by id limit ${limit}
    for no key update`.execute(tx);
  const state = { presence: 'unknown', since: now, reason: 'server-restarted', contact: null } as const;
  const changes = rows
    .filter(({ id, presence }) => presence === 'online' && !isConnected(id))
    .map(({ id }) => ({ routerId: id, state, events: [], waiters: [] }));
  if (changes.length > 0) await writeChanges(tx, changes);
  return rows.length < limit ? undefined : rows.at(-1)!.id;
}

/** Whether a router had our subscriptions at its last set-up. */
export async function wasSubscribed(queries: Queries, routerId: string): Promise<boolean> {
  const { rows } = await sql<{ subscribed: boolean }>`
    select r.reported -> 'subscribed' = 'true'::jsonb as subscribed from routers r where r.id = ${routerId}::uuid`.execute(
    queries,
  );
  return rows[0]?.subscribed === true;
}

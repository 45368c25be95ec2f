import { devices as deviceCalls } from '@highline/contract';
import { sql } from 'kysely';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Contact } from '../../../platform/ports/contacts.ts';
import type { Queries, Tx } from '../../../platform/ports/database.ts';
import { insertChangedFacts } from '../history/router-facts.ts';
import { projectPresence, projectReported, type ProjectedDevice } from '../projection.ts';
import type { BootMessage, ConnectivityEvent, RouterChange } from './presence.changes.ts';
import { admitChange, type StoredConnection } from './presence.ownership.ts';
import type { Row } from '../../../platform/ports/tables.ts';
import { plannedOnce } from '../../../platform/ports/planned-once.ts';

// No function here takes a scope: each gets the ids of routers that authenticated, and a router's own row names its organization.

/** Two computed start times of one boot may differ by this many seconds. */
const SAME_BOOT_SECONDS = 10;

/** A router repeats a Boot! within this time: it connects again within minutes. */
const REPEATED_BOOT_MS = 600_000;

interface LockedRouter extends StoredConnection, Row<'routers', 'id' | 'main_account_id'> {
  readonly heldBy: string | null;
  readonly bootMessage: BootMessage | null;
  /** ISO 8601. */
  readonly bootReceivedAt: string | null;
}

/** A router that came from another process, with the number of its newest socket. */
export interface TakenConnection extends ReplacedConnection {
  /** The node that held it. */
  readonly from: string;
}

/** A socket that is no longer the router's newest one. */
export interface ReplacedConnection {
  readonly routerId: string;
  readonly epoch: number;
}

/** Looks at devices whose connection changed, in the transaction of the change: alert rules. */
export type ComparePresence = (tx: Tx, deviceIds: readonly string[]) => Promise<void>;

const idsOf = (devices: readonly ProjectedDevice[]) => devices.map(({ id }) => id);

/** What a batch could not write, and what others have to know of it. */
export interface WrittenChanges {
  /** Routers that are not in any inventory any more. */
  readonly gone: readonly string[];
  /** Connections whose router has a newer socket. */
  readonly replaced: readonly ReplacedConnection[];
  /** Routers that another node held. */
  readonly taken: readonly TakenConnection[];
}

/**
 * Write changes of routers: their rows, the devices that claim them, their history, and events for the affected consoles. The
 * state of an older socket changes nothing; what its router reported is written.
 * @param compare looks at the devices whose connection changed
 * @param nodeId the process that holds the routers which are online
 */
export async function writeChanges(
  tx: Tx,
  changes: readonly RouterChange[],
  nodeId: string,
  compare: ComparePresence = async () => {},
): Promise<WrittenChanges> {
  const routers = await lockInOrder(
    tx,
    changes.map(({ routerId }) => routerId),
  );
  const there = new Map(routers.map((router) => [router.id, router]));
  const admitted = changes.flatMap((change) => {
    const stored = there.get(change.routerId);
    return stored === undefined ? [] : [{ change, ...admitChange(stored, change) }];
  });
  const valid = admitted.map(({ admitted: change }) => withoutRepeatedBoots(change, there.get(change.routerId)));
  const changed = await writeStates(tx, valid, nodeId);
  const devices = [...changed, ...(await writeReported(tx, valid))];
  await compare(tx, idsOf(changed));
  await insertEvents(
    tx,
    valid.flatMap(({ events }) => events),
  );
  const moved = new Set(valid.flatMap(({ routerId, state }) => (state === undefined ? [] : [routerId])));
  await announceChanges(
    tx,
    routers.filter(({ id }) => moved.has(id)),
    devices,
  );
  return {
    gone: changes.map(({ routerId }) => routerId).filter((id) => !there.has(id)),
    replaced: admitted.flatMap(({ change: { routerId, state }, isReplaced }) =>
      isReplaced && state !== undefined ? [{ routerId, epoch: state.epoch }] : [],
    ),
    taken: valid.flatMap(({ routerId, state }) => {
      const from = there.get(routerId)?.heldBy ?? nodeId;
      return state?.presence !== 'online' || from === nodeId ? [] : [{ routerId, epoch: state.epoch, from }];
    }),
  };
}

/**
 * A process that is frozen in this transaction loses it after this time: its routers connect to another one, which waits for their
 * rows with its whole batch.
 */
const FROZEN_MS = 5_000;
const releaseWhenFrozen = sql`set_config('idle_in_transaction_session_timeout', ${String(FROZEN_MS)}, true)`;

/** In the order of their ids, as everywhere several routers are locked, to avoid deadlocks. */
async function lockInOrder(tx: Tx, ids: readonly string[]): Promise<readonly LockedRouter[]> {
  return tx
    .selectFrom('routers')
    .select(['id', 'main_account_id', 'presence', 'connection_epoch as epoch', 'held_by as heldBy'])
    .select([
      sql<BootMessage | null>`reported -> 'boot_message'`.as('bootMessage'),
      sql<string | null>`reported ->> 'boot_heard_at'`.as('bootReceivedAt'),
    ])
    .select(releaseWhenFrozen.as('timeout'))
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Without a Boot! that another process stored, and whose answer got lost: the router repeats it here. This process knows what it stored itself, and
 * what the router has the answer of: of an agent that numbers its messages from 1 again, the same message is then another start. The
 * time of the start, and of a reset, stays that of the first one.
 */
function withoutRepeatedBoots(change: RouterChange, stored: LockedRouter | undefined): RouterChange {
  const known = stored?.bootMessage ?? undefined;
  const receivedAt = Date.parse(stored?.bootReceivedAt ?? '');
  const isRepeated = (message: BootMessage | undefined, at: number) =>
    message !== undefined && message.hash === known?.hash && message.node !== known.node && at - receivedAt < REPEATED_BOOT_MS;
  const { reported } = change;
  const isStart = !isRepeated(reported?.boot_message, Date.parse(reported?.boot_heard_at ?? ''));
  const events = change.events.filter(({ message, at }) => !isRepeated(message, at.getTime()));
  return { ...change, events, reported: isStart ? reported : withoutStart(reported) };
}

/** Without the time of a start, and that of a reset which the same message reported. */
function withoutStart(reported: RouterChange['reported']): RouterChange['reported'] {
  const { boot_heard_at: bootEventAt, reset_seen_at: resetAt, ...left } = reported ?? {};
  return resetAt === undefined || resetAt === bootEventAt ? left : { ...left, reset_seen_at: resetAt };
}

async function writeStates(tx: Tx, changes: readonly RouterChange[], nodeId: string): Promise<readonly ProjectedDevice[]> {
  const states = changes.flatMap(({ routerId, state }) => (state === undefined ? [] : [{ routerId, ...state }]));
  if (states.length === 0) return [];
  const ids = states.map(({ routerId }) => routerId);
  await sql`update routers r set presence = n.presence, presence_since = n.since, presence_reason = n.reason,
      held_by = case n.presence when 'online' then ${nodeId}::uuid end, connection_epoch = n.epoch,
      first_online_at = case when r.presence_since is null then coalesce(r.first_online_at, n.since) else r.first_online_at end
    from unnest(
      ${ids}::uuid[], ${states.map(({ presence }) => presence)}::text[], ${states.map(({ since }) => since.toISOString())}::timestamptz[],
      ${states.map(({ reason }) => reason)}::text[], ${states.map(({ epoch }) => epoch)}::bigint[]
    ) as n (id, presence, since, reason, epoch) where r.id = n.id`.execute(tx);
  await writeContacts(
    tx,
    states.flatMap(({ routerId, contact }) => (contact === null ? [] : [{ routerId, contact }])),
  );
  return projectPresence(tx, ids);
}

/** The inventory has the model that a router reports where it was added without one. */
async function writeReported(tx: Tx, changes: readonly RouterChange[]): Promise<readonly ProjectedDevice[]> {
  const reporting = changes.filter(({ reported, clockSkewMs }) => reported !== undefined || clockSkewMs !== undefined);
  if (reporting.length === 0) return [];
  const { rows } = await sql<Row<'routers', 'id'>>`${plannedOnce}
    with news as (
      select r.id, n.skew, n.reported - case when abs(extract(epoch from
        (n.reported ->> 'booted_at')::timestamptz - (r.reported ->> 'booted_at')::timestamptz)) < ${SAME_BOOT_SECONDS} then 'booted_at'
        else '' end as reported
      from unnest(
        ${reporting.map(({ routerId }) => routerId)}::uuid[], ${reporting.map(({ reported }) => JSON.stringify(reported ?? {}))}::jsonb[],
        ${reporting.map(({ clockSkewMs }) => clockSkewMs ?? null)}::integer[]
      ) as n (id, reported, skew) join routers r on r.id = n.id
    ), facts as (${insertChangedFacts(sql`news`)})
    update routers r set reported = r.reported || n.reported, clock_skew_ms = coalesce(n.skew, r.clock_skew_ms),
      model = case r.model when '' then coalesce(n.reported ->> 'model', '') else r.model end from news n
    where r.id = n.id and (not r.reported @> n.reported
      or n.skew is not null and r.clock_skew_ms is distinct from n.skew)
    returning r.id`.execute(tx);
  return rows.length === 0
    ? []
    : projectReported(
        tx,
        rows.map(({ id }) => id),
      );
}

async function insertEvents(tx: Tx, events: readonly ConnectivityEvent[]): Promise<void> {
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
  moved: readonly Pick<LockedRouter, 'id' | 'main_account_id'>[],
  devices: readonly ProjectedDevice[],
): Promise<void> {
  for (const [organizationId, own] of Map.groupBy(devices, (device) => device.organization_id)) {
    const scope = { kind: 'organization', mainAccountId: own[0]!.main_account_id, organizationId } as const;
    await announce(tx, scope, 'devices', [...new Set(own.map(({ id }) => id))]);
  }
  for (const [mainAccountId, own] of Map.groupBy(moved, (router) => router.main_account_id)) {
    const ids = own.map(({ id }) => id);
    await announce(tx, { kind: 'main', mainAccountId }, 'inventory', ids);
  }
}

/** The last contact of one router, to be written. */
export interface RouterContact {
  readonly routerId: string;
  readonly contact: Contact;
}

/** An index finds weak signals by this; the strength itself changes too often for one. */
const weak = (alias: string) => sql`coalesce(${sql.ref(`${alias}.rssi`)} < ${sql.lit(deviceCalls.WEAK_SIGNAL_DBM)}, false)`;

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
        rssi = case when n.is_stated then n.rssi else c.rssi end,
        is_weak = case when n.is_stated then ${weak('n')} else c.is_weak end
      from locked join input n on n.router_id = locked.router_id where c.router_id = locked.router_id
      returning c.router_id
    )
    insert into router_contacts (router_id, last_contact_at, rssi, is_weak)
    select r.id, n.at, n.rssi, ${weak('n')} from input n join routers r on r.id = n.router_id
    where not exists (select from updated u where u.router_id = n.router_id)
    order by r.id for key share of r
    on conflict (router_id) do update set last_contact_at = greatest(router_contacts.last_contact_at, excluded.last_contact_at),
      rssi = coalesce(excluded.rssi, router_contacts.rssi),
      is_weak = case when excluded.rssi is null then router_contacts.is_weak else excluded.is_weak end`.execute(tx);
}

/** A router that a node holds, according to its row. */
export interface HeldRouter extends Row<'routers', 'id' | 'presence'> {
  readonly epoch: number;
}

/** Up to `limit` routers that a node holds, by id. @param after the last id of the page before */
export async function pageHeld(queries: Queries, nodeId: string, after: string, limit: number): Promise<readonly HeldRouter[]> {
  const { rows } = await heldPage(nodeId, after, limit).execute(queries);
  return rows;
}

/** Exported for the test of its plan. */
export const heldPage = (nodeId: string, after: string, limit: number) => sql<HeldRouter>`
  select id, presence, connection_epoch as epoch from routers
  where presence <> 'offline' and held_by = ${nodeId}::uuid and id > ${after}::uuid order by held_by, id limit ${limit}`;

/**
 * Take the next socket numbers for those of these routers that other nodes have held since before this time: their present sockets are
 * older ones then, which their nodes close.
 */
export async function outdateSockets(tx: Tx, nodeId: string, routerIds: readonly string[], before: Date): Promise<void> {
  await sql`update routers r set connection_epoch = nextval('connection_epochs')
    from (select id from routers where id = any(${[...routerIds]}::uuid[]) and held_by <> ${nodeId}::uuid
      and presence_since <= ${before}::timestamptz order by id for no key update) held
    where r.id = held.id`.execute(tx);
}

/** Which routers without a socket get another state. */
export type Unheld =
  /** Those of ended nodes, and those that are online without a node, as versions before this table wrote them. */
  | 'ended'
  /** Those that are unknown, and were already at this time. */
  | { readonly unknownSince: Date };

/**
 * Set up to `limit` routers without a socket from online to unknown, or from unknown to offline, with a line in their history. Rows
 * that another process sets at the same time are skipped.
 * @returns how many; fewer than `limit` = there are no more
 */
export async function writeUnheld(
  tx: Tx,
  which: Unheld,
  now: Date,
  limit: number,
  compare: ComparePresence = async () => {},
): Promise<number> {
  const isLost = which === 'ended';
  const next = isLost ? ({ presence: 'unknown', reason: 'server-restarted' } as const) : NOT_SEEN;
  const chosen = isLost ? [endedPage(limit), unheldPage(limit)] : [expiredPage(which.unknownSince, limit)];
  let count = 0;
  for (const page of chosen) {
    const { rows } = await sql<Pick<LockedRouter, 'id' | 'main_account_id'>>`
      with chosen as materialized (${page})
      update routers r set presence = ${next.presence}, presence_since = ${now}::timestamptz, presence_reason = ${next.reason},
        held_by = null
      from chosen c where r.id = c.id returning r.id, r.main_account_id`.execute(tx);
    if (rows.length === 0) continue;
    const devices = await projectPresence(
      tx,
      rows.map(({ id }) => id),
    );
    if (!isLost)
      await insertEvents(
        tx,
        rows.map(({ id }) => ({ routerId: id, at: now, kind: 'offline', reason: next.reason })),
      );
    await compare(tx, idsOf(devices));
    await announceChanges(tx, rows, devices);
    count += rows.length;
  }
  return count;
}

const NOT_SEEN = { presence: 'offline', reason: 'not-seen-since-restart' } as const;

/** Routers of nodes that are not active. The few nodes that hold routers are found by as many steps in the index. */
export const endedPage = (limit: number) => sql`
  select r.id from routers r where r.presence <> 'offline' and r.held_by = any (array(
    with recursive holders (id) as (
      (select held_by from routers where presence <> 'offline' and held_by is not null order by held_by limit 1)
      union all
      select (select n.held_by from routers n where n.presence <> 'offline' and n.held_by > h.id order by n.held_by limit 1)
      from holders h where h.id is not null
    )
    select h.id from holders h
    where h.id is not null and not exists (select from nodes n where n.id = h.id and n.ended_at is null)))
  order by r.held_by, r.id limit ${limit} for no key update of r skip locked`;

export const unheldPage = (limit: number) => sql`
  select r.id from routers r where r.presence <> 'offline' and r.held_by is null and r.presence = 'online'
  order by r.presence_since limit ${limit} for no key update of r skip locked`;

export const expiredPage = (since: Date, limit: number) => sql`
  select r.id from routers r where r.presence <> 'offline' and r.held_by is null and r.presence = 'unknown'
    and r.presence_since <= ${since}::timestamptz
  order by r.presence_since limit ${limit} for no key update of r skip locked`;

/** Which of these routers had our subscriptions at their last set-up. */
export async function findSubscribed(queries: Queries, routerIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<Row<'routers', 'id'>>`select r.id from routers r
    where r.id = any (${[...routerIds]}::uuid[]) and r.reported -> 'subscribed' = 'true'::jsonb`.execute(queries);
  return new Set(rows.map(({ id }) => id));
}

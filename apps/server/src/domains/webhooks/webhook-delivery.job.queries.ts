import { sql } from 'kysely';
import type { Row, Tx, Database } from '../../platform/ports/index.ts';
import type { Attempt } from './retry.ts';
import type { EndpointFormat } from './web-call.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';

/** An event that this process sends now, with its endpoint. */
export interface LeasedDelivery
  extends
    Row<'webhook_deliveries', 'id' | 'endpoint_id' | 'device_id' | 'type' | 'data' | 'attempts' | 'attempts_before'>,
    Row<'webhook_endpoints', 'url' | 'language' | 'sealed_secret' | 'previous_secret' | 'previous_until' | 'failing_since'> {
  readonly format: EndpointFormat;
  readonly happened_at: Date;
  /** The organization of the endpoint, or its main account. */
  readonly owner_id: string;
}

/** Longer than a call and its record take; another process may send the event after it. */
const LEASE = '45 seconds';
/** How long an event waits at most before it is looked at again, while an earlier one of its device is on its way. */
const LOOK_AGAIN = '1 minute';

/** Of the table `endpoints`: those with something that waits. */
const waitingEndpoints = sql`
  (select endpoint_id from webhook_deliveries where state = 'waiting' order by endpoint_id limit 1)
  union all
  select (select d.endpoint_id from webhook_deliveries d where d.state = 'waiting' and d.endpoint_id > w.endpoint_id
    order by d.endpoint_id limit 1)
  from endpoints w where w.endpoint_id is not null`;

/** How many events of an endpoint this process takes at most, and of those that are on their way here already. */
export interface LeaseLimits {
  readonly perEndpoint: number;
  readonly taken: ReadonlyMap<string, number>;
}

/**
 * Lease due events for this process: of each endpoint that is on and not suspended the oldest, of each device only the first that is not
 * over. Any number of processes may do it at once. Endpoints are found by skipping from one to the next in the index, so the costs do
 * not depend on how much waits for one of them.
 * @returns the events in their order, and whether there may be more
 */
export async function leaseDue(
  database: Database,
  { perEndpoint, taken }: LeaseLimits,
  limit: number,
  now: Date,
): Promise<{ readonly leased: LeasedDelivery[]; readonly isMore: boolean }> {
  const left = sql`${perEndpoint}::integer - coalesce((${JSON.stringify(Object.fromEntries(taken))}::jsonb ->> e.id::text)::integer, 0)`;
  const { rows } = await database.write((tx) =>
    sql<LeasedDelivery & { readonly position: string; readonly is_blocked: boolean }>`${plannedOnce}
      with recursive endpoints as (${waitingEndpoints}), due as materialized (
        select d.id, d.is_blocked, e.url, e.format, e.language, e.sealed_secret, e.previous_secret, e.previous_until, e.failing_since,
          coalesce(e.organization_id, e.main_account_id) as owner_id
        from endpoints w
        join webhook_endpoints e on e.id = w.endpoint_id and e.is_enabled and e.suspended_at is null
        cross join lateral (
          select d.id, d.next_at, d.position, exists (select from webhook_deliveries p where p.endpoint_id = d.endpoint_id
            and p.device_id = d.device_id and p.state = 'waiting' and p.position < d.position) as is_blocked
          from webhook_deliveries d
          where d.endpoint_id = e.id and d.state = 'waiting' and d.next_at <= ${now}::timestamptz
          order by d.next_at, d.position limit greatest(${left}, 0) for update skip locked
        ) d
        order by d.next_at, d.position limit ${limit}
      )
      update webhook_deliveries d set
        attempts = d.attempts + case when due.is_blocked then 0 else 1 end,
        next_at = ${now}::timestamptz + case when due.is_blocked then ${LOOK_AGAIN}::interval else ${LEASE}::interval end
      from due where d.id = due.id
      returning d.id, d.position::text as position, d.endpoint_id, d.device_id, d.type, d.data, d.happened_at, d.attempts, d.attempts_before,
        due.is_blocked, due.url, due.format, due.language, due.sealed_secret, due.previous_secret, due.previous_until, due.failing_since,
        due.owner_id`.execute(tx),
  );
  const leased = rows.filter(({ is_blocked: isBlocked }) => !isBlocked);
  return { leased: leased.toSorted((a, b) => Number(BigInt(a.position) - BigInt(b.position))), isMore: rows.length > 0 };
}

/** What becomes of an event after a call. */
export interface Outcome {
  readonly delivery: LeasedDelivery;
  readonly attempt: Attempt;
  /** When it is tried again; null = it is over. */
  readonly nextAt: Date | null;
}

const KEPT_TRIES = 20;

/**
 * Record what became of events. The outcome of a call whose lease has lapsed, and which another process has made again, is dropped.
 * The next event of a device is due as soon as one is over.
 */
export async function recordOutcomes(tx: Tx, outcomes: readonly Outcome[], now: Date): Promise<void> {
  const rows = outcomes.map(({ delivery: { id, attempts }, attempt, nextAt }) => ({
    id,
    attempts,
    state: nextAt !== null ? 'waiting' : attempt.error === '' ? 'delivered' : 'failed',
    next_at: nextAt?.toISOString() ?? null,
    attempt,
  }));
  const ended = await sql<{ endpoint_id: string; device_id: string | null }>`
    with ended as (
      update webhook_deliveries d set state = n.state, next_at = n.next_at,
        tries = case when jsonb_array_length(d.tries) >= ${KEPT_TRIES} then d.tries - 0 else d.tries end || n.attempt
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as n (id uuid, attempts integer, state text, next_at timestamptz, attempt jsonb)
      where d.id = n.id and d.attempts = n.attempts and d.state = 'waiting'
      returning d.endpoint_id, d.device_id, d.state
    )
    select distinct endpoint_id, device_id from ended where state <> 'waiting' and device_id is not null`.execute(tx);
  if (ended.rows.length === 0) return;
  await sql`update webhook_deliveries d set next_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(ended.rows)}::jsonb) as n (endpoint_id uuid, device_id uuid)
    where d.endpoint_id = n.endpoint_id and d.device_id = n.device_id and d.state = 'waiting' and d.attempts = d.attempts_before
      and d.next_at > ${now}::timestamptz`.execute(tx);
}

/** Return events to the queue that were leased and not sent. */
export async function releaseLeased(database: Database, leased: readonly LeasedDelivery[], now: Date): Promise<void> {
  const rows = leased.map(({ id, attempts }) => ({ id, attempts }));
  await database.write((tx) =>
    sql`update webhook_deliveries d set attempts = d.attempts - 1, next_at = ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, attempts integer)
      where d.id = n.id and d.attempts = n.attempts and d.state = 'waiting'`.execute(tx),
  );
}

/** An endpoint that was suspended after days of failures. */
export interface SuspendedEndpoint extends Row<
  'webhook_endpoints',
  'id' | 'main_account_id' | 'organization_id' | 'name' | 'url'
> {
  readonly failing_since: Date;
}

/** Note which endpoints fail and which do not any more. @returns those that were suspended by it, because they have failed for days */
export async function noteHealth(
  tx: Tx,
  { failing, working }: { readonly failing: readonly string[]; readonly working: readonly string[] },
  suspendedFrom: Date,
  now: Date,
): Promise<SuspendedEndpoint[]> {
  if (working.length > 0)
    await tx
      .updateTable('webhook_endpoints')
      .set({ failing_since: null })
      .where('id', 'in', working)
      .where('failing_since', 'is not', null)
      .execute();
  if (failing.length === 0) return [];
  const { rows } = await sql<SuspendedEndpoint & { readonly is_suspended: boolean }>`
    update webhook_endpoints e set failing_since = coalesce(e.failing_since, ${now}::timestamptz),
      suspended_at = case when e.failing_since <= ${suspendedFrom}::timestamptz and e.format <> 'push' then ${now}::timestamptz end
    where e.id = any(${[...failing]}::uuid[]) and e.suspended_at is null
      and (e.failing_since is null or e.failing_since <= ${suspendedFrom}::timestamptz)
    returning e.id, e.main_account_id, e.organization_id, e.name, e.url, e.failing_since, e.suspended_at is not null as is_suspended`.execute(
    tx,
  );
  return rows.filter(({ is_suspended: isSuspended }) => isSuspended);
}

/** An organization, or a main account, with those of its endpoints that were called. */
export interface CalledOwner extends Row<'webhook_endpoints', 'main_account_id' | 'organization_id'> {
  readonly ids: string[];
}

/** Owners of endpoints, for the consoles that show them. */
export async function findOwners(tx: Tx, ids: readonly string[]): Promise<CalledOwner[]> {
  const { rows } = await sql<CalledOwner>`select main_account_id, organization_id, array_agg(id) as ids
    from webhook_endpoints where id = any(${[...ids]}::uuid[]) group by main_account_id, organization_id`.execute(tx);
  return rows;
}

/** How many rows one statement of the retention deletes. */
const PURGED_AT_ONCE = 10_000;

/** Endpoints that events belong to and that are no more: found by skipping from one to the next in the index. */
const deletedEndpoints = sql`(with recursive endpoints as (
    (select endpoint_id from webhook_deliveries order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d where d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
    from endpoints w where w.endpoint_id is not null
  ) select w.endpoint_id from endpoints w where not exists (select from webhook_endpoints e where e.id = w.endpoint_id))`;

/** Delete events older than this, and those of deleted endpoints (retention). */
export async function purgeDeliveries(database: Database, before: Date): Promise<void> {
  for (const which of [sql`d.created_at < ${before}::timestamptz`, sql`d.endpoint_id in ${deletedEndpoints}`])
    for (;;) {
      const { rows } = await database.write((tx) =>
        sql`delete from webhook_deliveries where id in (select d.id from webhook_deliveries d where ${which} limit ${PURGED_AT_ONCE})
          returning 1`.execute(tx),
      );
      if (rows.length < PURGED_AT_ONCE) break;
    }
}

/** What waits for webhooks, of the whole installation. */
export interface WaitingDeliveries {
  /** Due, of endpoints that are on and not suspended; at most `MOST_COUNTED`. */
  readonly due: number;
  /** Since when the oldest of them has been due. */
  readonly oldestSeconds: number;
  readonly suspended: number;
}

const MOST_COUNTED = 10_000;

/** Count what waits; endpoints are found as in `leaseDue`. */
export async function countWaiting(database: Database, now: Date): Promise<WaitingDeliveries> {
  const { rows } = await sql<WaitingDeliveries>`
    with recursive endpoints as (${waitingEndpoints}), due as (
      select d.next_at from endpoints w
        join webhook_endpoints e on e.id = w.endpoint_id and e.is_enabled and e.suspended_at is null
        cross join lateral (select d.next_at from webhook_deliveries d
          where d.endpoint_id = e.id and d.state = 'waiting' and d.next_at <= ${now}::timestamptz
          order by d.next_at, d.position limit ${MOST_COUNTED}) d
      limit ${MOST_COUNTED}
    )
    select (select count(*)::int from due) as due,
      coalesce((select extract(epoch from ${now}::timestamptz - min(next_at)) from due), 0)::float8 as "oldestSeconds",
      (select count(*)::int from webhook_endpoints where suspended_at is not null) as suspended`.execute(database.read);
  return rows[0]!;
}

import { sql } from 'kysely';
import type { Database, Queries, Tx } from '../ports/database.ts';
import type { Row } from '../ports/tables.ts';

/** What identifies a call: who made it, and the Idempotency-Key it was sent with. */
export interface CallName {
  readonly owner: string;
  readonly key: string;
}

/** One beginning of a call: what a process writes for it changes nothing once another process has begun the call again. */
export interface BegunCall extends CallName {
  /** When it began, to the microsecond. */
  readonly startedAt: string;
}

/** A stored call. */
export interface StoredCall extends Row<'idempotent_calls', 'operation' | 'request_hash' | 'status' | 'sealed_answer'> {
  readonly is_leased: boolean;
  readonly is_applied: boolean;
}

const KEPT = sql`interval '24 hours'`;
const LEASE = sql`interval '60 seconds'`;
/** Half of the lease, with reserve. */
export const RENEW_MS = 20_000;

const named = ({ owner, key }: CallName) => sql`c.owner_id = ${owner}::uuid and c.key = ${key}`;
const begunAs = (call: BegunCall) => sql`${named(call)} and c.started_at = ${call.startedAt}::timestamptz`;

/**
 * Begin a call, unless one of this name is known. One that lost its process before it had an effect begins again.
 * @returns the call that the caller shall run, or undefined
 */
export async function beginCall(tx: Tx, name: CallName, operation: string, requestHash: Buffer): Promise<BegunCall | undefined> {
  const { rows } = await sql<{ startedAt: string }>`
    insert into idempotent_calls as c (owner_id, key, operation, request_hash, started_at, leased_until)
    values (${name.owner}::uuid, ${name.key}, ${operation}, ${requestHash}, now(), now() + ${LEASE})
    on conflict (owner_id, key) do update set operation = excluded.operation, request_hash = excluded.request_hash,
      started_at = excluded.started_at, leased_until = excluded.leased_until, applied_at = null, status = null, answer = null,
      sealed_answer = null
      where c.started_at < now() - ${KEPT}
        or (c.status is null and c.applied_at is null and c.leased_until < now() and c.request_hash = excluded.request_hash)
    returning c.started_at::text as "startedAt"`.execute(tx);
  return rows[0] && { ...name, ...rows[0] };
}

/** A call of this name. */
export async function findCall(queries: Queries, name: CallName): Promise<StoredCall | undefined> {
  const { rows } = await sql<StoredCall>`select c.operation, c.request_hash, c.leased_until > now() as is_leased,
      c.applied_at is not null as is_applied, c.status, c.sealed_answer
    from idempotent_calls c where ${named(name)}`.execute(queries);
  return rows[0];
}

/** Whether a call has had its effect by this beginning of it. */
export async function isApplied(queries: Queries, call: BegunCall): Promise<boolean> {
  const { rows } = await sql`select from idempotent_calls c where ${begunAs(call)} and c.applied_at is not null`.execute(queries);
  return rows.length > 0;
}

/** The process still works on the call. */
export async function renewCall(tx: Tx, call: BegunCall): Promise<void> {
  await sql`update idempotent_calls as c set leased_until = now() + ${LEASE}
    where ${begunAs(call)} and c.status is null`.execute(tx);
}

/**
 * In the transaction of the effect: from its commit on, the call is never run again.
 * @returns false when another process has begun the call again: this transaction must not be committed
 */
export async function markApplied(tx: Tx, call: BegunCall): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update idempotent_calls as c set applied_at = coalesce(c.applied_at, now())
    where ${begunAs(call)}`.execute(tx);
  return numAffectedRows > 0n;
}

/** Store the response of a call. @param sealedResponse null where it must not be stored */
export async function storeResponse(tx: Tx, call: BegunCall, status: number, sealedResponse: Buffer | null): Promise<void> {
  await sql`update idempotent_calls as c set status = ${status}, sealed_answer = ${sealedResponse}
    where ${begunAs(call)}`.execute(tx);
}

/** Forget a call that had no effect: the same key may be sent again. */
export async function forgetCall(tx: Tx, call: BegunCall): Promise<void> {
  await sql`delete from idempotent_calls as c where ${begunAs(call)} and c.applied_at is null`.execute(tx);
}

/** Delete calls that began at least 24 hours ago (retention). */
export async function purgeIdempotentCalls(database: Database): Promise<void> {
  await database.write((tx) => sql`delete from idempotent_calls where started_at < now() - ${KEPT}`.execute(tx));
}

import { sql } from 'kysely';
import type { Database, Queries, Tx } from '../ports/database.ts';
import type { Row } from '../ports/tables.ts';

/** What identifies a call: who made it, and the Idempotency-Key it was sent with. */
export interface CallName {
  readonly owner: string;
  readonly key: string;
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

/**
 * Begin a call, unless one of this name is known. One that lost its process before it had an effect begins again.
 * @returns whether the caller shall run it
 */
export async function beginCall(tx: Tx, name: CallName, operation: string, requestHash: Buffer): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into idempotent_calls as c (owner_id, key, operation, request_hash, started_at, leased_until)
    values (${name.owner}::uuid, ${name.key}, ${operation}, ${requestHash}, now(), now() + ${LEASE})
    on conflict (owner_id, key) do update set operation = excluded.operation, request_hash = excluded.request_hash,
      started_at = excluded.started_at, leased_until = excluded.leased_until, applied_at = null, status = null, answer = null,
      sealed_answer = null
      where c.started_at < now() - ${KEPT}
        or (c.status is null and c.applied_at is null and c.leased_until < now() and c.request_hash = excluded.request_hash)`.execute(
    tx,
  );
  return numAffectedRows > 0n;
}

/** A call of this name. */
export async function findCall(queries: Queries, name: CallName): Promise<StoredCall | undefined> {
  const { rows } = await sql<StoredCall>`select c.operation, c.request_hash, c.leased_until > now() as is_leased,
      c.applied_at is not null as is_applied, c.status, c.sealed_answer
    from idempotent_calls c where ${named(name)}`.execute(queries);
  return rows[0];
}

/** The process still works on the call. */
export async function renewCall(tx: Tx, name: CallName): Promise<void> {
  await sql`update idempotent_calls as c set leased_until = now() + ${LEASE} where ${named(name)} and c.status is null`.execute(
    tx,
  );
}

/** In the transaction of the effect: from its commit on, the call is never run again. */
export async function markApplied(tx: Tx, name: CallName): Promise<void> {
  await sql`update idempotent_calls as c set applied_at = coalesce(c.applied_at, now()) where ${named(name)}`.execute(tx);
}

/** Store the response of a call. @param sealedResponse null where it must not be stored */
export async function storeResponse(tx: Tx, name: CallName, status: number, sealedResponse: Buffer | null): Promise<void> {
  await sql`update idempotent_calls as c set status = ${status}, sealed_answer = ${sealedResponse} where ${named(name)}`.execute(
    tx,
  );
}

/** Forget a call that had no effect: the same key may be sent again. */
export async function forgetCall(tx: Tx, name: CallName): Promise<void> {
  await sql`delete from idempotent_calls as c where ${named(name)} and c.applied_at is null`.execute(tx);
}

/** Delete calls that began at least 24 hours ago (retention). */
export async function purgeIdempotentCalls(database: Database): Promise<void> {
  await database.write((tx) => sql`delete from idempotent_calls where started_at < now() - ${KEPT}`.execute(tx));
}

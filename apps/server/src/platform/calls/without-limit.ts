import { sql } from 'kysely';
import type { DeviceLimit } from '../../kernel/scope.ts';
import type { Tx } from '../ports/database.ts';
import { currentLimit, workWithin } from './call-steps.ts';

/**
 * What a change of a limited person does for others, such as a call of its programs: within the same transaction it reads and writes the tables
 * themselves. Nothing of it may be in the answer.
 */
export async function withoutLimit<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const limit = currentLimit();
  if (limit === undefined) return work();
  await sql`set local search_path = public, pg_temp`.execute(tx);
  // A failed statement has ended the transaction, and with it the setting.
  const result = await work();
  await enterLimit(tx, limit);
  return result;
}

/** The part of a transaction without a call that is done for a limited person: it reads and writes the views (decisions/0149). */
export async function withinLimit<T>(tx: Tx, limit: DeviceLimit | undefined, work: () => Promise<T>): Promise<T> {
  if (limit === undefined) return work();
  await enterLimit(tx, limit);
  const result = await workWithin(limit, work);
  await sql`set local search_path = public, pg_temp`.execute(tx);
  return result;
}

async function enterLimit(tx: Tx, { accountId, organizationId, groups, tags }: DeviceLimit): Promise<void> {
  await sql`select limited.enter(${accountId}::uuid, ${organizationId}::uuid, ${[...groups]}::text[], ${[...tags]}::text[])`.execute(
    tx,
  );
}

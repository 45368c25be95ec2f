import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';

export interface SecondFactorRow {
  readonly sealed_secret: Buffer;
  /** Null = no code has yet proved that the app has the secret. */
  readonly confirmed_at: Date | null;
  readonly last_step: number;
}

const columns = ['sealed_secret', 'confirmed_at', 'last_step'] as const;

/** The factor of an account, also one that is not confirmed yet. */
export function findSecondFactor(queries: Queries, accountId: string): Promise<SecondFactorRow | undefined> {
  return queries.selectFrom('second_factors').select(columns).where('account_id', '=', accountId).executeTakeFirst();
}

/** The same, locked: concurrent attempts with the same code wait for each other. */
export function lockSecondFactor(tx: Tx, accountId: string): Promise<SecondFactorRow | undefined> {
  return tx.selectFrom('second_factors').select(columns).where('account_id', '=', accountId).forUpdate().executeTakeFirst();
}

/** Store an unconfirmed secret, replacing an earlier unconfirmed one. @returns false if one is confirmed */
export async function putPending(tx: Tx, accountId: string, sealedSecret: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into second_factors as f (account_id, sealed_secret, created_at) values (${accountId}::uuid, ${sealedSecret}, ${now})
    on conflict (account_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
      where f.confirmed_at is null
    returning account_id`.execute(tx);
  return rows.length > 0;
}

/** Confirm the factor, so that it is required. @param step of the code that confirmed it, which is now used up */
export async function updateConfirmed(tx: Tx, accountId: string, step: number, now: Date): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ confirmed_at: now, last_step: step })
    .where('account_id', '=', accountId)
    .execute();
}

/** A code of this step, or an earlier one, is not accepted again (RFC 6238 5.2). */
export async function updateLastStep(tx: Tx, accountId: string, step: number): Promise<void> {
  await tx.updateTable('second_factors').set({ last_step: step }).where('account_id', '=', accountId).execute();
}

/** Turn it off and delete the recovery codes. @returns whether it was on */
export async function deleteSecondFactor(tx: Tx, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('second_factors')
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Store recovery codes as hashes; they are shown once, when they are made. */
export async function insertRecoveryCodes(tx: Tx, accountId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
    .execute();
}

/** Use a recovery code up. @returns false when it is not one of the account's, or was used */
export async function takeRecoveryCode(tx: Tx, accountId: string, hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** How many are left to use. */
export async function countRecoveryCodes(queries: Queries, accountId: string): Promise<number> {
  const row = await queries
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.left;
}

/** Delete secrets that were not confirmed in time (retention). */
export async function purgePending(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('second_factors').where('confirmed_at', 'is', null).where('created_at', '<', before).execute();
}

import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

export type PasskeyRow = Row<
  'passkeys',
  | 'id'
  | 'account_id'
  | 'credential_id'
  | 'public_key'
  | 'counter'
  | 'name'
  | 'transports'
  | 'is_synced'
  | 'created_at'
  | 'last_used_at'
>;

const columns = [
  'id',
  'account_id',
  'credential_id',
  'public_key',
  'counter',
  'name',
  'transports',
  'is_synced',
  'created_at',
  'last_used_at',
] as const;

/** The passkeys of an account, the newest first. */
export function findPasskeysOf(queries: Queries, accountId: string): Promise<PasskeyRow[]> {
  return queries
    .selectFrom('passkeys')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** For sign-in only: it begins before the user is known, so there is no scope yet. */
export function findPasskey(queries: Queries, credentialId: string): Promise<PasskeyRow | undefined> {
  return queries.selectFrom('passkeys').select(columns).where('credential_id', '=', credentialId).executeTakeFirst();
}

/** The same, locked: concurrent uses wait for each other. */
export function lockPasskey(tx: Tx, id: string): Promise<PasskeyRow | undefined> {
  return tx.selectFrom('passkeys').select(columns).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Store a passkey. @returns undefined if it is stored already, for whichever account */
export function tryInsertPasskey(tx: Tx, passkey: Omit<PasskeyRow, 'last_used_at'>): Promise<PasskeyRow | undefined> {
  return tx
    .insertInto('passkeys')
    .values({ ...passkey, transports: [...passkey.transports] })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Note a use, and what the authenticator counted. */
export async function updateUse(tx: Tx, id: string, counter: number, isSynced: boolean, now: Date): Promise<void> {
  await tx.updateTable('passkeys').set({ counter, is_synced: isSynced, last_used_at: now }).where('id', '=', id).execute();
}

/** Delete one passkey of an account. @returns its name; undefined if it is not one of the account's */
export async function deletePasskeyOf(tx: Tx, accountId: string, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Delete every passkey of an account. @returns their number */
export async function deletePasskeysOf(tx: Tx, accountId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('account_id', '=', accountId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Use a challenge up. @returns false when it was used before */
export async function takeChallenge(tx: Tx, challengeHash: Buffer, expiresAt: Date): Promise<boolean> {
  const { rows } = await sql`insert into passkey_challenges (challenge_hash, expires_at) values (${challengeHash}, ${expiresAt})
    on conflict do nothing returning challenge_hash`.execute(tx);
  return rows.length > 0;
}

/** Lock an account while its passkeys are counted. @returns whether it exists */
export async function lockOwner(tx: Tx, accountId: string): Promise<boolean> {
  const row = await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().executeTakeFirst();
  return row !== undefined;
}

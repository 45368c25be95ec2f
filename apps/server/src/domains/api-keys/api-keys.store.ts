import { sql } from 'kysely';
import type { Actor, Scope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Row, Tx } from '../../platform/ports/index.ts';

export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly operations: readonly string[];
  /** As CIDR. */
  readonly ranges: readonly string[];
  readonly secretHash: Buffer;
  readonly hint: string;
  readonly expiresAt: Date | null;
}

export type LockedKey = Row<
  'api_keys',
  'id' | 'organization_id' | 'name' | 'hint' | 'operations' | 'secret_hash' | 'expires_at' | 'revoked_at'
>;

/** The condition of keys that a scope covers, on `api_keys k`. */
export function keysOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`k.organization_id = ${scope.organizationId}::uuid`
    : sql`k.main_account_id = ${scope.mainAccountId}::uuid`;
}

/** How many keys of this very owner have not ended. Creations of one owner wait for each other. */
export async function countActiveKeys(tx: Tx, scope: Scope, now: Date): Promise<number> {
  const owner = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api_keys ${owner}`}, 0))`.execute(tx);
  const own = scope.kind === 'organization' ? sql`true` : sql`k.organization_id is null`;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from api_keys k
    where ${keysOf(scope)} and ${own} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}::timestamptz)`.execute(
    tx,
  );
  return rows[0]!.count;
}

/** Insert a key of an owner. */
export async function insertKey(tx: Tx, scope: Scope, actor: Actor, key: NewKey, now: Date): Promise<void> {
  const organization = scope.kind === 'organization' ? scope.organizationId : null;
  await sql`insert into api_keys (id, main_account_id, organization_id, name, operations, ranges, secret_hash, hint, made_by,
      made_by_email, created_at, expires_at)
    values (${key.id}::uuid, ${scope.mainAccountId}::uuid, ${organization}::uuid, ${key.name}, ${[...key.operations]}::text[],
      array(select network(r::inet)::cidr from unnest(${[...key.ranges]}::text[]) r), ${key.secretHash}, ${key.hint},
      ${actor.accountId}::uuid, ${actor.email}, ${now}::timestamptz, ${key.expiresAt}::timestamptz)`.execute(tx);
}

/** Lock a key of the scope. */
export async function lockKey(tx: Tx, scope: Scope, id: string): Promise<LockedKey | undefined> {
  const { rows } =
    await sql<LockedKey>`select k.id, k.organization_id, k.name, k.hint, k.operations, k.secret_hash, k.expires_at, k.revoked_at
    from api_keys k where k.id = ${id}::uuid and ${keysOf(scope)} for no key update`.execute(tx);
  return rows[0];
}

/** Replace the secret of a locked key; the actor is its maker from now on. */
export async function replaceSecret(
  tx: Tx,
  actor: Actor,
  { id, secret_hash: previous }: LockedKey,
  { secretHash, hint, previousUntil }: { readonly secretHash: Buffer; readonly hint: string; readonly previousUntil: Date },
): Promise<void> {
  const made = { made_by: actor.accountId, made_by_email: actor.email };
  const replaced = { previous_hash: previous, previous_until: previousUntil };
  await tx
    .updateTable('api_keys')
    .set({ secret_hash: secretHash, hint, ...replaced, ...made })
    .where('id', '=', id)
    .execute();
}

/** End a locked key. */
export async function markRevoked(tx: Tx, scope: Scope, id: string, now: Date): Promise<void> {
  await sql`update api_keys k set revoked_at = ${now}::timestamptz where k.id = ${id}::uuid and ${keysOf(scope)}`.execute(tx);
}

/** End every key of an organization that is being deleted. */
export async function revokeKeysOf(tx: Tx, scope: Scope & { readonly kind: 'organization' }, now: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('organization_id', '=', scope.organizationId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Delete the keys of an organization that is being purged. */
export async function purgeKeysOf(tx: Tx, scope: Scope & { readonly kind: 'organization' }): Promise<void> {
  await tx.deleteFrom('api_keys').where('organization_id', '=', scope.organizationId).execute();
}

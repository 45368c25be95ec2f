import type { apiKeys as calls } from '@highline/contract';
import { apiKeys } from '@highline/contract';
import { DomainError, isId, newId, required, type Actor, type Scope } from '../../kernel/index.ts';
import type { AnyOperation } from '../../platform/calls/call.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { countActiveKeys, insertKey, lockKey, markRevoked, replaceSecret, type LockedKey } from './api-keys.store.ts';
import { parseRange } from './ip-range.ts';
import { hashKey, hintOf, mintKey } from './key-text.ts';
import { groupOperations, isGrantable } from './key-operations.ts';

export interface KeyDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Every registered operation. */
  readonly operations: () => readonly AnyOperation[];
}

/** The maker's definition of a key. */
export interface KeyInput {
  readonly name: string;
  /** Ids of operations. */
  readonly operations: readonly string[];
  /** As typed. */
  readonly ranges?: readonly string[] | undefined;
  /** ISO 8601; null = never. */
  readonly expires?: string | null | undefined;
}

/** A key and its secret, which is known only now. */
export interface MintedKey {
  readonly id: string;
  readonly secret: string;
}

const HOUR_MS = 3_600_000;
const USUAL_OVERLAP_HOURS = 24;

/** The operations that a key of this scope, made by this actor, can be allowed to call, in groups. */
export function listGrantable({ operations }: Pick<KeyDeps, 'operations'>, scope: Scope, actor: Actor): calls.KeyGroup[] {
  return groupOperations(operations().filter((operation) => isGrantable(operation, scope, actor.role)));
}

/**
 * Create a key (HKS-02).
 * @throws DomainError `key.operation_unknown`, `key.range_invalid`, `key.expiry_past`, `key.too_many`
 */
export async function createKey(deps: KeyDeps, scope: Scope, actor: Actor, input: KeyInput): Promise<MintedKey> {
  const now = deps.clock.now();
  const grantable = new Set(deps.operations().flatMap((each) => (isGrantable(each, scope, actor.role) ? [each.id] : [])));
  const operations = [...new Set(input.operations)].toSorted();
  const unknown = operations.find((operation) => !grantable.has(operation));
  if (unknown !== undefined)
    throw new DomainError('key.operation_unknown', { field: 'operations', detail: { operation: unknown } });
  const ranges = (input.ranges ?? []).map((range, index) => parseRange(range, `ranges.${index}`));
  const expiresAt = input.expires === undefined || input.expires === null ? null : new Date(input.expires);
  if (expiresAt !== null && expiresAt <= now) throw new DomainError('key.expiry_past', { field: 'expires' });
  const secret = mintKey();
  const [id, hint, { name }] = [newId(now.getTime()), hintOf(secret), input];
  await deps.database.write(async (tx) => {
    if ((await countActiveKeys(tx, scope, now)) >= apiKeys.MOST_KEYS) throw new DomainError('key.too_many');
    await insertKey(tx, scope, actor, { id, name, operations, ranges, secretHash: hashKey(secret), hint, expiresAt }, now);
    const detail = { name, hint, operations, ranges, expires: expiresAt?.toISOString() ?? null };
    await record(tx, scope, actor, id, sentence('key.created', name), detail, now);
  });
  return { id, secret };
}

/**
 * Replace the secret of a key. The former one stays valid for some hours; the key then acts for the actor.
 * @throws DomainError `key.not_found`, `key.ended`
 */
export async function rotateKey(
  { database, clock }: KeyDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  overlapHours = USUAL_OVERLAP_HOURS,
): Promise<MintedKey> {
  const now = clock.now();
  const secret = mintKey();
  const [hint, previousUntil] = [hintOf(secret), new Date(now.getTime() + overlapHours * HOUR_MS)];
  await database.write(async (tx) => {
    const key = await getActive(tx, scope, id, now);
    await replaceSecret(tx, actor, key, { secretHash: hashKey(secret), hint, previousUntil });
    const detail = { before: { hint: key.hint }, after: { hint }, previousUntil: previousUntil.toISOString() };
    await record(tx, ownScope(scope, key), actor, id, sentence('key.rotated', key.name), detail, now);
  });
  return { id, secret };
}

/** Revoke a key. @throws DomainError `key.not_found`, `key.ended` */
export async function revokeKey(
  { database, clock }: Pick<KeyDeps, 'database' | 'clock'>,
  scope: Scope,
  actor: Actor,
  id: string,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const key = await getActive(tx, scope, id, now);
    await markRevoked(tx, scope, id, now);
    const { name, hint } = key;
    await record(tx, ownScope(scope, key), actor, id, sentence('key.revoked', name), { name, hint }, now);
  });
}

async function getActive(tx: Tx, scope: Scope, id: string, now: Date): Promise<LockedKey> {
  const key = required(isId(id) ? await lockKey(tx, scope, id) : undefined, 'key.not_found');
  const hasExpired = key.expires_at !== null && key.expires_at <= now;
  if (key.revoked_at !== null || hasExpired) throw new DomainError('key.ended');
  return key;
}

function ownScope({ mainAccountId }: Scope, { organization_id: organizationId }: LockedKey): Scope {
  return organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };
}

async function record(
  tx: Tx,
  scope: Scope,
  actor: Actor,
  id: string,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'apiKeys', [id]);
  const chain = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
  await recordAudit(tx, chain, actor, { action, subject: { kind: 'api key', id }, detail }, now);
}

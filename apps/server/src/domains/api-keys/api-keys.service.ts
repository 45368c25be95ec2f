import type { accounts, apiKeys as calls } from '@highline/contract';
import { apiKeys, limitedOperations, normalizeGroupKey } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { DomainError, newId, type Actor, type Scope } from '../../kernel/index.ts';
import type { AnyOperation } from '../../platform/calls/call.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { lockNamedGroups } from '../accounts/index.ts';
import { sentence } from '../logs/index.ts';
import { keys } from './api-keys.queries.ts';
import { insertGroups } from './api-keys.store.ts';
import { parseRange } from './ip-range.ts';
import { hashKey, hintOf, mintKey } from './key-text.ts';
import { groupOperations, isGrantable } from './key-operations.ts';

export interface KeyDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Every registered operation. */
  readonly operations: () => readonly AnyOperation[];
}

/** The body of the call that creates a key. */
export type KeyInput = z.output<typeof apiKeys.createKey.body>;

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
 * @throws DomainError `key.operation_unknown`, also for one that is of the whole organization where the key is limited; `key.range_invalid`,
 * `key.expiry_past`, `key.too_many`, `key.no_limit`, `group.not_found`
 */
export async function createKey(deps: KeyDeps, scope: Scope, actor: Actor, input: KeyInput): Promise<MintedKey> {
  const now = deps.clock.now();
  const grantable = new Set(deps.operations().flatMap((each) => (isGrantable(each, scope, actor.role) ? [each.id] : [])));
  const limit = limitOf(scope, input);
  const isAllowed = (id: string) => grantable.has(id) && (limit === null || limitedOperations.has(id));
  const operations = [...new Set(input.operations)].toSorted();
  const unknown = operations.find((operation) => !isAllowed(operation));
  if (unknown !== undefined)
    throw new DomainError('key.operation_unknown', { field: 'operations', detail: { operation: unknown } });
  const ranges = (input.ranges ?? []).map((range, index) => parseRange(range, `ranges.${index}`));
  const expiresAt = input.expires === undefined || input.expires === null ? null : new Date(input.expires);
  if (expiresAt !== null && expiresAt <= now) throw new DomainError('key.expiry_past', { field: 'expires' });
  const secret = mintKey();
  const [id, hint, { name }] = [newId(now.getTime()), hintOf(secret), input];
  const stored = { limit_tags: limit?.tags ?? null, secret_hash: hashKey(secret), expires_at: expiresAt };
  const values = { id, name, operations, hint, ...stored, ...madeBy(actor) };
  const networks = sql`array(select network(r::inet)::cidr from unnest(${ranges}::text[]) r)`;
  const detail = { name, hint, operations, ranges, expires: expiresAt?.toISOString() ?? null, limitedTo: limit };
  const logged = { action: sentence('key.created', name), detail };
  await keys.create(deps, scope, actor, { ...values, ranges: networks }, logged, (tx) => saveGroups(tx, scope, id, limit));
  return { id, secret };
}

/**
 * Replace the secret of a key, which acts for the actor from then on. The former secret stays valid for some hours, for the former maker.
 * @throws DomainError `key.not_found`, `key.ended`
 */
export async function rotateKey(
  deps: KeyDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  overlapHours = USUAL_OVERLAP_HOURS,
): Promise<MintedKey> {
  const secret = mintKey();
  const hint = hintOf(secret);
  await keys.change(deps, scope, actor, id, async (tx, key, now) => {
    rejectEnded(key, now);
    const until = new Date(now.getTime() + overlapHours * HOUR_MS);
    const previous = { previous_hash: key.secret_hash, previous_until: until, previous_made_by: key.made_by };
    await keys.update(tx, key, { secret_hash: hashKey(secret), hint, ...previous, ...madeBy(actor) });
    const detail = { before: { hint: key.hint }, after: { hint }, previousUntil: until.toISOString() };
    return { action: sentence('key.rotated', key.name), detail };
  });
  return { id, secret };
}

/** Revoke a key. @throws DomainError `key.not_found`, `key.ended` */
export async function revokeKey(
  deps: Pick<KeyDeps, 'database' | 'clock'>,
  scope: Scope,
  actor: Actor,
  id: string,
): Promise<void> {
  await keys.change(deps, scope, actor, id, async (tx, key, now) => {
    rejectEnded(key, now);
    await keys.update(tx, key, { revoked_at: now });
    const { name, hint } = key;
    return { action: sentence('key.revoked', name), detail: { name, hint } };
  });
}

/** @throws DomainError `key.no_limit` for a key of a main account itself */
function limitOf(scope: Scope, { limitedTo = null }: KeyInput): accounts.LimitInput | null {
  if (limitedTo === null) return null;
  if (scope.kind === 'main') throw new DomainError('key.no_limit', { field: 'limitedTo' });
  return {
    groups: [...new Set(limitedTo.groups.map((key) => normalizeGroupKey(key)))],
    tags: [...new Set(limitedTo.tags)].toSorted(),
  };
}

/** @throws DomainError `group.not_found` */
async function saveGroups(tx: Tx, scope: Scope, key: string, limit: accounts.LimitInput | null): Promise<void> {
  if (scope.kind === 'main' || limit === null || limit.groups.length === 0) return;
  const groups = await lockNamedGroups(tx, scope, limit.groups);
  if (groups.length < limit.groups.length) throw new DomainError('group.not_found', { field: 'limitedTo' });
  await insertGroups(tx, scope, key, limit.groups);
}

const madeBy = ({ accountId, email }: Actor) => ({ made_by: accountId, made_by_email: email });

function rejectEnded({ revoked_at: revokedAt, expires_at: expiresAt }: Awaited<ReturnType<typeof keys.lock>>, now: Date): void {
  const hasExpired = expiresAt !== null && expiresAt <= now;
  if (revokedAt !== null || hasExpired) throw new DomainError('key.ended');
}

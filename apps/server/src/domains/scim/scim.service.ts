import type { scim } from '@highline/contract';
import { DomainError, isId, newId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { lockAdmins } from '../accounts/index.ts';
import { recordAudit, sentence, type AuditAction } from '../logs/index.ts';
import { reconcileAll } from './directory.ts';
import { listGroupSizes } from './groups.queries.ts';
import { updateGroupRoles } from './groups.store.ts';
import { hashSecret, hintOf, mintSecret } from './secret.ts';
import {
  deleteSecret,
  findSettings,
  insertSecret,
  listCalls,
  listSecrets,
  putSettings,
  type CallRow,
  type SecretRow,
} from './secrets.store.ts';

type ScimDeps = Pick<Deps, 'database' | 'clock'>;

const DAY_MS = 86_400_000;

/** The directory of an organization as its admins see it. @param address where the directory calls */
export async function readDirectory(
  { database, clock }: ScimDeps,
  scope: OrganizationScope,
  address: string,
): Promise<scim.ScimDirectory> {
  const [secrets, settings, groups, calls] = await Promise.all([
    listSecrets(database.read, scope),
    findSettings(database.read, scope),
    listGroupSizes(database.read, scope),
    listCalls(database.read, scope),
  ]);
  return {
    address,
    secrets: secrets.map((secret) => toSecretDto(secret, clock.now())),
    defaultRole: settings.default_role,
    groups: groups.map(({ id, display_name: name, role, members }) => ({ id, name, role, people: members })),
    calls: calls.map(toCallDto),
    version: String(settings.version),
  };
}

const toSecretDto = (row: SecretRow, now: Date): scim.ScimSecret => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  by: row.created_by_email,
  created: row.created_at.toISOString(),
  expires: row.expires_at.toISOString(),
  expired: row.expires_at <= now,
  lastUsed: row.last_used_at?.toISOString() ?? null,
  lastAddress: row.last_used_address,
});

const toCallDto = ({ at, method, path, status, detail, address }: CallRow): scim.ScimCall => ({
  at: at.toISOString(),
  method,
  path,
  status,
  detail,
  address,
});

/**
 * Make a secret with which the directory of an organization signs in.
 * @param days until it expires
 * @returns the secret, which is known only now
 * @throws DomainError `scim.too_many`
 */
export async function createSecret(
  { database, clock }: ScimDeps,
  scope: OrganizationScope,
  actor: Actor,
  { name, days }: { readonly name: string; readonly days: number },
): Promise<string> {
  const now = clock.now();
  const secret = mintSecret();
  const hint = hintOf(secret);
  const id = newId(now.getTime());
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  await database.write(async (tx) => {
    await lock(tx, scope);
    const isStored = await insertSecret(tx, scope, { id, name, hash: hashSecret(secret), hint, by: actor.email, expiresAt }, now);
    if (!isStored) throw new DomainError('scim.too_many');
    const detail = { name, hint, expires: expiresAt.toISOString() };
    await record(tx, scope, actor, { action: sentence('scim.secret_created', name), id, detail }, now);
  });
  return secret;
}

/** Revoke a secret: the directory that uses it changes nothing more. @throws DomainError `scim.secret_not_found` */
export async function revokeSecret(
  { database, clock }: ScimDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    await lock(tx, scope);
    const { name, hint } = required(isId(id) ? await deleteSecret(tx, scope, id) : undefined, 'scim.secret_not_found');
    await record(tx, scope, actor, { action: sentence('scim.secret_revoked', name), id, detail: { name, hint } }, now);
  });
}

/**
 * Choose what the people of each group may do, and those in no group with a role. It counts at once.
 * @throws DomainError `scim.group_not_found`, `conflict.stale`
 */
export async function saveRoles(
  { database, clock }: ScimDeps,
  scope: OrganizationScope,
  actor: Actor,
  { defaultRole, groups }: scim.ScimRoles,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    await lock(tx, scope);
    const before = await findSettings(tx, scope);
    if (!isCurrent(String(before.version))) throw new DomainError('conflict.stale');
    const known = new Map((await listGroupSizes(tx, scope)).map(({ id, ...group }) => [id, group]));
    if (groups.some(({ id }) => !known.has(id))) throw new DomainError('scim.group_not_found');
    await updateGroupRoles(tx, scope, groups);
    await putSettings(tx, scope, { defaultRole, version: before.version + 1 }, now);
    await reconcileAll(tx, { scope, actor }, undefined, now);
    const named = groups.map(({ id, role }) => ({ name: known.get(id)!.display_name, before: known.get(id)!.role, after: role }));
    const detail = { defaultRole: { before: before.default_role, after: defaultRole }, groups: named };
    await record(tx, scope, actor, { action: sentence('scim.roles_saved'), id: scope.organizationId, detail }, now);
  });
}

async function lock(tx: Tx, scope: OrganizationScope): Promise<void> {
  if (!(await lockAdmins(tx, scope))) throw new DomainError('not_found');
}

async function record(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  {
    action,
    id,
    detail,
  }: { readonly action: AuditAction; readonly id: string; readonly detail: Readonly<Record<string, unknown>> },
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'scim', [id]);
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'directory', id }, detail }, now);
}

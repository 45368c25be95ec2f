// Reads tables of other domains: organizations.
import type { Right } from '@highline/contract';
import { sql } from 'kysely';
import type { Queries, Row } from '../../platform/ports/index.ts';
import { isAllowedByRole } from '../../kernel/rights.ts';
import type { Actor, DeviceLimit } from '../../kernel/scope.ts';
import { limitColumns, limitOf, seesDevice, type LimitRow } from './limits.queries.ts';
import { ownRoleColumns, type OwnRoleRow } from './own-role.queries.ts';
import { standingOf } from './standing.ts';
import { findOpenVisit, limitOfVisit } from './visits.queries.ts';

interface CurrentRow extends LimitRow, OwnRoleRow, Row<'accounts', 'roles' | 'organization_id'> {
  readonly deleted_at: Date | null;
}

/** What someone may do without a call of theirs: only to the devices of the limit, and what the own role and the key have now. */
export interface Allowed extends Pick<Actor, 'ownRole' | 'key'> {
  readonly limit?: DeviceLimit | undefined;
}

/**
 * What the account of an actor may do now; undefined = it no longer exists with the role and the organization that it had then, or may not make
 * this call.
 */
export async function findAllowed(queries: Queries, actor: Actor, right: Right): Promise<Allowed | undefined> {
  const { visit } = actor;
  const entered = visit && (await findOpenVisit(queries, actor, new Date()));
  if (visit !== undefined && entered === undefined) return undefined;
  const { rows } =
    await sql<CurrentRow>`select a.roles, a.organization_id, o.deleted_at, ${sql.raw(limitColumns)}, ${sql.raw(ownRoleColumns)}
    from accounts a left join organizations o on o.id = a.organization_id
    where a.id = ${actor.accountId}::uuid and a.main_account_id = ${actor.mainAccountId}::uuid`.execute(queries);
  const [account] = rows;
  // Accounts of a deleted organization are kept until it is purged, and may do nothing.
  if (account === undefined || account.deleted_at !== null) return undefined;
  const standing = standingOf(account);
  // Elsewhere the account has another role; an own one of the main account narrows it.
  if (entered !== undefined && visit?.atHome === false && actor.organizationId !== null) {
    const ownRole = visit.kind === 'support' ? standing?.ownRole : undefined;
    const limit = limitOfVisit(actor.accountId, actor.organizationId, entered.groups);
    return standing !== undefined && isAllowedByRole({ ...actor, ownRole, limit }, right) ? { ownRole, limit } : undefined;
  }
  if (standing?.role !== actor.role || account.organization_id !== actor.organizationId) return undefined;
  const { limit } = limitOf(actor.accountId, account);
  return isAllowedByRole({ ...standing, limit, visit }, right) ? { limit, ownRole: standing.ownRole } : undefined;
}

/** Whether someone may act on a device without a call of theirs; undefined = on several, of which it is not known which: never while they are limited. */
export async function mayActOn(queries: Queries, allowed: Allowed | undefined, deviceId: string | undefined): Promise<boolean> {
  if (allowed?.limit === undefined) return allowed !== undefined;
  return deviceId !== undefined && (await seesDevice(queries, allowed.limit, deviceId));
}

// Reads tables of other domains: organizations.
import type { Right } from '@highline/contract';
import { sql } from 'kysely';
import type { Queries, Row } from '../../platform/ports/index.ts';
import { isAllowedByRole } from '../../kernel/rights.ts';
import type { Actor } from '../../kernel/scope.ts';
import { limitColumns, limitOf, seesDevice, type LimitRow } from './limits.queries.ts';
import { ownRoleColumns, type OwnRoleRow } from './own-role.queries.ts';
import { standingOf } from './standing.ts';
import { isVisitOpen } from './visits.queries.ts';

interface CurrentRow extends LimitRow, OwnRoleRow, Row<'accounts', 'roles' | 'organization_id'> {
  readonly deleted_at: Date | null;
}

/**
 * Whether the account of an actor still exists with the role and the organization that it had then, and may make a call. Someone who is limited may
 * make it for one device that they see: what acts for someone does not know which others these are.
 * @param deviceId the one that it is about; undefined = several
 */
export async function mayStillAct(queries: Queries, actor: Actor, right: Right, deviceId?: string): Promise<boolean> {
  const { visit } = actor;
  if (visit !== undefined && !(await isVisitOpen(queries, actor, new Date()))) return false;
  const { rows } =
    await sql<CurrentRow>`select a.roles, a.organization_id, o.deleted_at, ${sql.raw(limitColumns)}, ${sql.raw(ownRoleColumns)}
    from accounts a left join organizations o on o.id = a.organization_id
    where a.id = ${actor.accountId}::uuid and a.main_account_id = ${actor.mainAccountId}::uuid`.execute(queries);
  const [account] = rows;
  // Accounts of a deleted organization are kept until it is purged, and may do nothing.
  if (account === undefined || account.deleted_at !== null) return false;
  const standing = standingOf(account);
  // Elsewhere the account has another role; an own one of the main account narrows it.
  if (visit?.atHome === false) {
    const ownRole = visit.kind === 'support' ? standing?.ownRole : undefined;
    return standing !== undefined && isAllowedByRole({ ...actor, ownRole }, right);
  }
  if (standing?.role !== actor.role || account.organization_id !== actor.organizationId) return false;
  const { limit } = limitOf(actor.accountId, account);
  return isAllowedByRole({ ...standing, limit, visit }, right) && mayActOn(queries, limit, deviceId);
}

/** Whether someone may act on a device, or on several, without a call of theirs. */
export async function mayActOn(queries: Queries, limit: Actor['limit'], deviceId: string | undefined): Promise<boolean> {
  return limit === undefined || (deviceId !== undefined && (await seesDevice(queries, limit, deviceId)));
}

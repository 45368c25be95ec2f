// Reads tables of other domains: devices, organizations.
import { sql } from 'kysely';
import type { Actor, OrganizationScope } from '../../../kernel/index.ts';
import type { Queries, Tx } from '../../../platform/ports/database.ts';
import { isDue } from './passwords.queries.ts';

// The clock works for every organization: each row has its own, and nothing is returned to a user.

/** An organization whose passwords are replaced without a person. */
export interface AutomaticRotation {
  readonly scope: OrganizationScope;
  readonly rotateDays: number;
  readonly author: Actor;
}

/** Every organization with automatic rotation. */
export async function listAutomaticRotations(queries: Queries): Promise<AutomaticRotation[]> {
  const { rows } = await sql<{ organization_id: string; main_account_id: string; rotate_days: number; author: Actor }>`
    select s.organization_id, s.main_account_id, s.rotate_days, s.author from router_password_settings s
      join organizations o on o.id = s.organization_id and o.deleted_at is null
    where s.automatic order by s.organization_id`.execute(queries);
  return rows.map(({ organization_id: organizationId, main_account_id: mainAccountId, rotate_days: rotateDays, author }) => ({
    scope: { kind: 'organization', organizationId, mainAccountId },
    rotateDays,
    author,
  }));
}

/**
 * Devices with a password that is due, each with the user whose one is, and without an attempt since a time: a router that rejects it is not
 * sent it again and again. What was never sent, as its author might not any more, is none.
 */
export async function findDuePasswords(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { before, attemptedSince, usual, limit }: { before: Date; attemptedSince: Date; usual: string; limit: number },
): Promise<readonly { readonly device_id: string; readonly username: string }[]> {
  const { rows } = await sql<{
    device_id: string;
    username: string;
  }>`select d.id as device_id, coalesce(u.username, ${usual}) as username
    from devices d
      left join lateral (select p.username from router_passwords p where p.organization_id = d.organization_id and p.device_id = d.id
        and p.router_id = d.router_id and p.state = 'set' order by p.set_at limit 1) u on true
    where d.organization_id = ${organizationId}::uuid and d.archived_at is null and ${isDue(before)}
      and not exists (select 1 from sent_commands c where c.device_id = d.id and c.kind = 'set-password'
        and c.argument = coalesce(u.username, ${usual}) and (c.ended_at is null or c.created_at > ${attemptedSince}::timestamptz and c.reason is distinct from 'not-allowed'))
    order by d.serial, d.id limit ${limit}`.execute(queries);
  return rows;
}

/** Delete passwords of devices that are gone, or have another router: at once when they left, after a time when they can be restored. */
export async function deleteLeftPasswords(tx: Tx, archivedBefore: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from router_passwords p
    where not exists (select 1 from devices d where d.organization_id = p.organization_id and d.id = p.device_id
      and d.router_id = p.router_id and (d.archived_at is null or d.archived_at > ${archivedBefore}::timestamptz))`.execute(tx);
  return Number(numAffectedRows);
}

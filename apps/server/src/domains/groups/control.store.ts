import type { groups } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tx, Row } from '../../platform/ports/index.ts';
import { isUser } from './control.queries.ts';

/** A user of the organization, and what the user may do with a group. */
export interface ControlRow extends Row<'accounts', 'id' | 'email' | 'name'> {
  readonly control: groups.GroupControl;
}

/** Whether an account was given Full Control of a group. */
export async function hasControl(queries: Queries, scope: OrganizationScope, accountId: string, key: string): Promise<boolean> {
  const row = await queries
    .selectFrom('group_controls')
    .select('account_id')
    .where('organization_id', '=', scope.organizationId)
    .where('group_key', '=', key)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Users of the organization by e-mail, after the given one, with their right to the group; also who was given a right that gives nothing now, so
 * that it can be taken.
 */
export async function listControls(
  queries: Queries,
  scope: OrganizationScope,
  key: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ControlRow[]> {
  const { rows } = await sql<ControlRow>`
    select a.id, a.email, a.name, case when c.account_id is null then 'read' else 'full' end as control
    from accounts a left join group_controls c
      on c.account_id = a.id and c.organization_id = a.organization_id and c.group_key = ${key}
    where a.organization_id = ${scope.organizationId}::uuid and a.email > ${after}
      and (${isUser(scope)} or c.account_id is not null)
    order by a.email limit ${limit}`.execute(queries);
  return rows;
}

/** The most e-mails listed with a group. */
const MOST_NAMED = 100;

/** E-mails of users who have Full Control of a group. */
export async function listControllers(queries: Queries, scope: OrganizationScope, key: string): Promise<string[]> {
  const { rows } = await sql<Row<'accounts', 'email'>>`select a.email from group_controls c join accounts a on a.id = c.account_id
    where c.organization_id = ${scope.organizationId}::uuid and c.group_key = ${key}
      and a.organization_id = c.organization_id and ${isUser(scope)}
    order by a.email limit ${MOST_NAMED}`.execute(queries);
  return rows.map(({ email }) => email);
}

/** An account of the organization, locked until the transaction ends. */
export async function lockHolder(tx: Tx, scope: OrganizationScope, id: string): Promise<{ readonly email: string } | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await sql<Row<'accounts', 'email'>>`select a.email from accounts a
    where a.organization_id = ${scope.organizationId}::uuid and a.id = ${id}::uuid
    for key share`.execute(tx);
  return rows[0];
}

/** Whether Full Control gives something to an account; it is locked by then, so that a role or a limit given at the same time counts. */
export async function isControllable(tx: Tx, scope: OrganizationScope, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_user: boolean }>`select ${isUser(scope)} as is_user from accounts a
    where a.organization_id = ${scope.organizationId}::uuid and a.id = ${id}::uuid`.execute(tx);
  return rows[0]?.is_user === true;
}

/** Delete the rights to single groups of accounts. @returns the names of those groups, by key */
export async function dropControls(
  tx: Tx,
  scope: OrganizationScope,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<Row<'groups', 'key' | 'name'>>`
    delete from group_controls c using groups g
    where c.organization_id = ${scope.organizationId}::uuid and c.account_id = any(${[...accountIds]}::uuid[])
      and g.organization_id = c.organization_id and g.key = c.group_key
    returning g.key, g.name`.execute(tx);
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** Give or remove Full Control. @returns false when nothing changed */
export async function setControl(
  tx: Tx,
  scope: OrganizationScope,
  { accountId, key, control }: { readonly accountId: string; readonly key: string; readonly control: groups.GroupControl },
  now: Date,
): Promise<boolean> {
  const right = { organization_id: scope.organizationId, group_key: key, account_id: accountId };
  if (control === 'full') {
    const made = await tx
      .insertInto('group_controls')
      .values({ ...right, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('account_id')
      .execute();
    return made.length === 1;
  }
  const { numDeletedRows } = await tx
    .deleteFrom('group_controls')
    .where('organization_id', '=', scope.organizationId)
    .where('group_key', '=', key)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

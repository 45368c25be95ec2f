import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { GroupRow } from './groups.queries.ts';

export interface GroupFields {
  readonly displayName: string;
  readonly externalId: string | null;
}

/** Insert a group. The database rejects a name that is taken (`isUniqueViolation`). */
export async function insertGroup(
  tx: Tx,
  { organizationId, mainAccountId }: OrganizationScope,
  id: string,
  { displayName, externalId }: GroupFields,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('scim_groups')
    .values({
      id,
      organization_id: organizationId,
      main_account_id: mainAccountId,
      display_name: displayName,
      external_id: externalId,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Write a locked group, with its next version. The database rejects a name that is taken (`isUniqueViolation`). */
export async function updateGroup(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { id, version }: Pick<GroupRow, 'id' | 'version'>,
  { displayName, externalId }: GroupFields,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set({ display_name: displayName, external_id: externalId, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .execute();
}

/** Delete a group, and who is in it. */
export async function deleteGroupRow(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<void> {
  await tx.deleteFrom('scim_groups').where('id', '=', id).where('organization_id', '=', organizationId).execute();
}

/** Add people to a locked group, who are known to be of its organization, and take others out of it. */
export async function changeMembers(
  tx: Tx,
  { organizationId }: OrganizationScope,
  groupId: string,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): Promise<void> {
  await sql`delete from scim_members m using scim_groups g where g.id = m.group_id and g.id = ${groupId}::uuid
    and g.organization_id = ${organizationId}::uuid and m.account_id = any(${[...removed]}::uuid[])`.execute(tx);
  await sql`insert into scim_members (group_id, account_id) select g.id, n.id from scim_groups g, unnest(${[...added]}::uuid[]) n (id)
    where g.id = ${groupId}::uuid and g.organization_id = ${organizationId}::uuid
    on conflict do nothing`.execute(tx);
}

/** What the people of groups may do from now on. */
export async function updateGroupRoles(
  tx: Tx,
  { organizationId }: OrganizationScope,
  roles: readonly { readonly id: string; readonly role: 'admin' | 'user' | null }[],
): Promise<void> {
  for (const { id, role } of roles)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await tx
      .updateTable('scim_groups')
      .set({ role })
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .execute();
}

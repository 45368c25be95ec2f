import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Document } from './resource.ts';

/** What a directory wrote about a person. */
export interface KeptPerson {
  readonly externalId: string | null;
  readonly userName: string;
  readonly content: Document;
  readonly isActive: boolean;
}

/** The state of a person of a directory, locked until the transaction ends. */
export async function lockKept(
  tx: Tx,
  { organizationId }: OrganizationScope,
  accountId: string,
): Promise<{ readonly is_active: boolean; readonly kept_roles: string[] } | undefined> {
  return tx
    .selectFrom('scim_users')
    .select(['is_active', 'kept_roles'])
    .where('account_id', '=', accountId)
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst();
}

/** Keep a person as a directory wrote it. */
export async function keepPerson(
  tx: Tx,
  { organizationId }: OrganizationScope,
  accountId: string,
  { externalId, userName, content, isActive }: KeptPerson,
  now: Date,
): Promise<void> {
  await sql`insert into scim_users as u (account_id, organization_id, external_id, user_name, content, is_active, created_at, updated_at)
    values (${accountId}::uuid, ${organizationId}::uuid, ${externalId}, ${userName}, ${JSON.stringify(content)}::jsonb, ${isActive}, ${now}, ${now})
    on conflict (account_id) do update set external_id = excluded.external_id, user_name = excluded.user_name, content = excluded.content,
      is_active = excluded.is_active, version = u.version + 1, updated_at = excluded.updated_at`.execute(tx);
}

/** Keep people of an organization whom a directory names and has not written: as they are. */
export async function adoptPeople(
  tx: Tx,
  { organizationId }: OrganizationScope,
  people: readonly { readonly id: string; readonly email: string; readonly name: string }[],
  now: Date,
): Promise<void> {
  await sql`insert into scim_users (account_id, organization_id, user_name, content, is_active, created_at, updated_at)
    select p.id, ${organizationId}::uuid, p.email, jsonb_build_object('displayName', p.name), true, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ email }) => email)}::text[],
      ${people.map(({ name }) => name)}::text[]) p (id, email, name) on conflict do nothing`.execute(tx);
}

/** Roles that a person gets back; none = the person has them. */
export async function keepRoles(
  tx: Tx,
  { organizationId }: OrganizationScope,
  accountId: string,
  roles: readonly string[],
): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ kept_roles: [...roles] })
    .where('account_id', '=', accountId)
    .where('organization_id', '=', organizationId)
    .execute();
}

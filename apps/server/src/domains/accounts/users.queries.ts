// Reads tables of other domains: notification_subscriptions, organizations, own_roles, visits.
import { type accounts, MAIN_SERVICE } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { defineList, natural, onlyOf, shortList, type Fragment } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import type { MainScope, Scope } from '../../kernel/scope.ts';
import { toInvitationDto, toPersonDto, type InvitationRow, type PersonRow } from './account.dto.ts';
import { namedLimit } from './limits.queries.ts';
import { namedOwnRole } from './own-role.queries.ts';
import { inLanguageOf, type LanguageSource } from './privilege.ts';

type UsersQuery = z.output<typeof accounts.listAccounts.query> & { readonly only?: string | undefined };

/** The order of last sign-ins; those who never signed in come first. */
export const bySignIn = sql`coalesce(a.signed_in_at, '-infinity')`;

/** The searched fields of an account. */
export const personFields = { name: sql`a.name`, email: sql`a.email` };

/** True for an admin of the own organization (AUTH-07). */
const isAdmin = sql`('r.' || a.organization_id::text || '.super') = any(a.roles)`;

/** Accounts `a`, each with the newest link `i` of an open invitation. */
export const usersFrom = sql`accounts a left join lateral (
    select l.created_at, l.expires_at from mailed_links l
    where l.account_id = a.id and a.password_hash is null and l.purpose = 'invitation' and l.used_at is null
    order by l.created_at desc limit 1) i on true`;

/** An account without a role has no invitation. */
const invitationColumns = sql`a.password_hash is null and a.roles <> '{}' as is_invited, i.created_at as invited_at, i.expires_at as link_ends_at`;

/** A `PersonRow`; passwords do not leave the database. */
export const personColumns = sql`a.id, a.main_account_id, a.organization_id, a.email, a.name, null as password_hash, a.roles, a.custom_data, a.signed_in_at,
  a.version, coalesce((select s.events from notification_subscriptions s
    where s.organization_id = a.organization_id and s.mail = a.email), '{}') as notification_types, (exists (select 1 from second_factors f where f.account_id = a.id and f.confirmed_at is not null)
    or exists (select 1 from passkeys k where k.account_id = a.id)) as second_factor,
  ${invitationColumns}, ${namedLimit}, ${namedOwnRole}, (select v.until from visits v where v.account_id = a.id and v.organization_id = a.organization_id
    and v.ended_at is null) as guest_until`;

/** The cloud users of a scope (USR-01), with privileges in the language of a request. */
export const userList = (request: LanguageSource) =>
  defineList({
    of: (scope: Scope, query: UsersQuery) =>
      shortList(query, {
        select: sql`select ${personColumns} from ${usersFrom}`,
        table: sql`accounts a`,
        where: [
          ...membersOf(scope),
          ...roleFilter(query),
          ...onlyOf(query.only, sql`a.id`, 'uuid'),
          ...(query.contacts === 'true' ? [sql`a.is_contact`] : []),
          ...(query.seesOnly === undefined ? [] : [seesOnly(query.seesOnly.split(','))]),
        ],
        fields: personFields,
        sorts: { name: [natural(sql`a.name`)], email: [sql`a.email`], role: [sql`not (${isAdmin})`], signedIn: [bySignIn] },
        sort: 'name',
        tie: sql`a.email`,
      }),
    toDto: (row: PersonRow) => inLanguageOf(request, toPersonDto(row)),
  });

/** The invitation of one account of a main account; null if there is none, or it was accepted. */
export async function findOpenInvitation(
  queries: Queries,
  scope: MainScope,
  id: string,
): Promise<accounts.OpenInvitation | null> {
  const { rows } = await sql<InvitationRow>`select ${invitationColumns} from ${usersFrom}
    where a.id = ${id}::uuid and a.main_account_id = ${scope.mainAccountId}::uuid`.execute(queries);
  return rows[0] === undefined ? null : toInvitationDto(rows[0]);
}

/** Members of organizations; the main account's own users are not cloud users. */
function membersOf(scope: Scope): Fragment[] {
  const members = [
    sql`a.main_account_id = ${scope.mainAccountId}::uuid`,
    sql`not ${`r.${MAIN_SERVICE}.vendor.super`} = any(a.roles)`,
  ];
  if (scope.kind === 'organization') return [...members, sql`a.organization_id = ${scope.organizationId}::uuid`];
  return [...members, sql`exists (select 1 from organizations o where o.id = a.organization_id and o.deleted_at is null)`];
}

/** People who are limited to some of these groups and to nothing else, themselves or by their own role. */
function seesOnly(groups: readonly string[]): Fragment {
  const isAmong = (table: string, owner: string, whose: Fragment) => {
    const rows = sql`from ${sql.table(table)} g where ${sql.ref(`g.${owner}`)} = ${whose}`;
    return sql`exists (select ${rows}) and not exists (select ${rows} and g.group_key <> all (${[...groups]}::text[]))`;
  };
  return sql`(exists (select from account_limits l where l.account_id = a.id and l.tags = '{}'
      and ${isAmong('account_limit_groups', 'account_id', sql`l.account_id`)})
    or exists (select from account_own_roles h join own_roles r on r.id = h.role_id where h.account_id = a.id and r.limit_tags = '{}'
      and ${isAmong('own_role_groups', 'role_id', sql`r.id`)}))`;
}

function roleFilter({ role }: UsersQuery): Fragment[] {
  if (role === undefined) return [];
  // People without access are neither.
  return [role === 'admin' ? isAdmin : sql`a.roles <> '{}' and not (${isAdmin})`];
}

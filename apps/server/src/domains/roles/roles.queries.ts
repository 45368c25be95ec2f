// Reads tables of other domains: account_own_roles, accounts.
import { roles, type accounts } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { natural } from '../../platform/listing/index.ts';
import { defineResource } from '../../platform/resources/resource.ts';
import { describeLimit } from '../accounts/index.ts';
import { recordAudit } from '../logs/index.ts';

interface Held {
  readonly people: number;
  readonly named_limit: accounts.PersonLimit | null;
}

const namedLimit = sql`case when e.limit_tags is not null
  then ${describeLimit(sql`e.limit_tags`, sql`own_role_groups`, sql`lg.role_id = e.id`)} end as named_limit`;

/** Roles that an organization made, or a main account for its own people (IAM-03). */
export const ownRoles = defineResource({
  table: 'own_roles',
  name: 'roles',
  topic: 'roles',
  subject: 'role',
  record: recordAudit,
  response: roles.ownRole,
  input: roles.saveRole.body,
  missing: 'role.not_found',
  limit: { most: roles.MOST_ROLES, error: 'role.too_many' },
  columns: { created: 'created_at', by: 'created_by_email' },
  joined: sql`(select count(*)::int from account_own_roles h where h.role_id = e.id) as people, ${namedLimit}`,
  joins: sql``,
  read: (reader, statement) => reader.rows<Held>(statement, true),
  computed: {
    people: ({ people }) => people,
    limitedTo: ({ named_limit: limit }) => limit,
  },
});

export type LockedRole = Awaited<ReturnType<typeof ownRoles.lock>>;

/** The people who have a role, by name, the first of them. The caller found the role within the scope. */
export async function findHolders(
  reader: Reader,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  roleId: string,
): Promise<{ id: string; name: string; email: string }[]> {
  return reader.rows<{ id: string; name: string; email: string }>(
    sql`select a.id, a.name, a.email from account_own_roles h join accounts a on a.id = h.account_id
      where h.role_id = ${roleId}::uuid and a.main_account_id = ${mainAccountId}::uuid
      order by ${natural(sql`a.name`)}, a.email limit ${roles.MOST_HOLDERS_NAMED}`,
    true,
  );
}

/** A person who has a role, for what follows from a change of it. */
export interface Holder {
  readonly id: string;
  readonly email: string;
}

/** Everyone who has a role. */
export async function listHolders(
  queries: Queries,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  roleId: string,
): Promise<Holder[]> {
  const { rows } = await sql<Holder>`select a.id, a.email from account_own_roles h join accounts a on a.id = h.account_id
    where h.role_id = ${roleId}::uuid and a.main_account_id = ${mainAccountId}::uuid order by a.id`.execute(queries);
  return rows;
}

/** The limit of a role as people read it; null = every device. */
export async function readLimit(
  queries: Queries,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  roleId: string,
): Promise<accounts.PersonLimit | null> {
  const { rows } = await sql<Pick<Held, 'named_limit'>>`select ${namedLimit} from own_roles e
    where e.id = ${roleId}::uuid and e.main_account_id = ${mainAccountId}::uuid`.execute(queries);
  return rows[0]?.named_limit ?? null;
}

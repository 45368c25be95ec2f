// Reads tables of other domains: accounts, groups, organizations.
import type { visits as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Actor, OrganizationScope, Scope } from '../../kernel/index.ts';
import { defineList, natural, type Fragment } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { OwnerRow } from '../accounts/index.ts';

/** A visit with the names that it is shown by. */
export interface VisitRow {
  readonly id: string;
  readonly kind: calls.VisitKind;
  readonly main_account_id: string;
  readonly organization_id: string;
  readonly organization: string;
  readonly account_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  /** Its account is of this organization alone. */
  readonly is_at_home: boolean;
  readonly role: calls.VisitRole;
  readonly group_names: string[] | null;
  readonly granted_by_email: string;
  readonly created_at: Date;
  readonly until: Date | null;
  readonly ended_at: Date | null;
  readonly ended_by_email: string | null;
}

const columns = sql`e.id, e.kind, e.main_account_id, e.organization_id, o.name as organization, e.account_id, a.email, a.name,
  coalesce(a.organization_id = e.organization_id, false) as is_at_home, e.role,
  case when e.group_keys is not null then array(select g.name from groups g where g.organization_id = e.organization_id
    and g.key = any (e.group_keys) order by ${natural(sql`g.name`)}, g.key) end as group_names,
  e.granted_by_email, e.created_at, e.until, e.ended_at, e.ended_by_email`;
const joins = sql`join organizations o on o.id = e.organization_id left join accounts a on a.id = e.account_id`;

/** Visits that a person may enter. */
const openTo = (
  { accountId, mainAccountId, organizationId }: Actor,
  now: Date,
): Fragment => sql`e.main_account_id = ${mainAccountId}::uuid
  and e.ended_at is null and (e.until is null or e.until > ${now}::timestamptz) and exists (select from organizations x where x.id = e.organization_id and x.deleted_at is null)
  and ${organizationId === null ? sql`e.kind = 'support'` : sql`e.account_id = ${accountId}::uuid and e.organization_id <> ${organizationId}::uuid`}`;

/** Visits of an organization, or those that a person may enter, the newest first. */
export const visitList = (actor: Actor, now: Date) =>
  defineList({
    of: (scope: Scope, { mine }: { readonly mine?: 'true' | undefined; readonly limit?: number | undefined }) => ({
      name: 'visits',
      table: sql`visits e`,
      alias: 'e',
      identity: ['id'],
      scope: mine === undefined && scope.kind === 'organization' ? ofOrganization(scope) : openTo(actor, now),
      filters: [],
      estimatable: false,
      columns,
      joins,
      segments: [{ from: sql`visits e`, keys: [{ column: sql`e.id`, kind: 'uuid' as const }], descending: true }],
    }),
    toDto: (row: VisitRow) => toVisitDto(row, actor, now),
  });

const ofOrganization = ({ organizationId, mainAccountId }: OrganizationScope): Fragment =>
  sql`e.organization_id = ${organizationId}::uuid and e.main_account_id = ${mainAccountId}::uuid`;

/** A visit of an organization. */
export async function findVisit(queries: Queries, scope: OrganizationScope, id: string): Promise<VisitRow | undefined> {
  const { rows } = await sql<VisitRow>`select ${columns} from visits e ${joins}
    where e.id = ${id}::uuid and ${ofOrganization(scope)}`.execute(queries);
  return rows[0];
}

/** A visit that a person may enter. */
export async function findOpenTo(queries: Queries, actor: Actor, id: string, now: Date): Promise<VisitRow | undefined> {
  const { rows } =
    await sql<VisitRow>`select ${columns} from visits e ${joins} where e.id = ${id}::uuid and ${openTo(actor, now)}`.execute(
      queries,
    );
  return rows[0];
}

/** A person with an address, in whichever company of the main account. */
export async function findPersonAt(
  tx: Tx,
  { mainAccountId }: OrganizationScope,
  email: string,
): Promise<(OwnerRow & { readonly language: string | null }) | undefined> {
  return tx
    .selectFrom('accounts')
    .select(['id', 'main_account_id', 'organization_id', 'roles', 'language'])
    .where('email', '=', email)
    .where('main_account_id', '=', mainAccountId)
    .executeTakeFirst();
}

/** The open support, the open visit of one person, and how many there are. */
export async function countOpen(
  tx: Tx,
  scope: OrganizationScope,
  accountId: string | null,
): Promise<{ readonly all: number; readonly own: number }> {
  const { rows } = await sql<{ all: number; own: number }>`select count(*)::int as all,
      (count(*) filter (where e.account_id = ${accountId}::uuid))::int as own
    from visits e where ${ofOrganization(scope)} and e.ended_at is null`.execute(tx);
  return rows[0]!;
}

/** As the API returns it to a person. */
export function toVisitDto(row: VisitRow, actor: Actor, now: Date): calls.Visit {
  const isOpen = row.ended_at === null && (row.until === null || row.until > now);
  const isTheirs = row.kind === 'support' ? actor.organizationId === null : row.account_id === actor.accountId && !row.is_at_home;
  return {
    id: row.id,
    kind: row.kind,
    org: row.organization_id,
    orgName: row.organization,
    email: row.email ?? '',
    name: row.name ?? '',
    role: row.role,
    groups: row.group_names,
    by: row.granted_by_email,
    created: row.created_at.toISOString(),
    until: row.until?.toISOString() ?? null,
    ended: row.ended_at?.toISOString() ?? null,
    endedBy: row.ended_by_email,
    mayEnter: isOpen && isTheirs && actor.visit === undefined,
  };
}

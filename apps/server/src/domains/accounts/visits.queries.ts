// Reads tables of other domains: organizations, scim_users, visits.
import type { Role, visits } from '@highline/contract';
import { sql } from 'kysely';
import type { Actor, DeviceLimit, OrganizationScope } from '../../kernel/scope.ts';
import type { Queries } from '../../platform/ports/database.ts';

// What a session of an account `a` may enter at the moment `$2`: `v` is what the session `s` has entered, `g` what the account is a guest by in
// its own organization (IAM-05).

export const visitColumns = `case when v.id is not null then json_build_object('id', v.id, 'kind', v.kind, 'role', v.role,
    'organization', v.organization_id, 'until', v.until, 'by', v.granted_by_email, 'groups', v.group_keys) end as visit,
  case when g.id is not null then json_build_object('id', g.id, 'until', g.until, 'by', g.granted_by_email) end as guest`;

export const visitJoins = `left join visits v on v.id = s.visit_id and v.ended_at is null and (v.until is null or v.until > $2)
    and v.main_account_id = a.main_account_id
    and case v.kind when 'support' then a.organization_id is null else v.account_id = a.id end
    and exists (select from organizations vo where vo.id = v.organization_id and vo.deleted_at is null)
  left join visits g on g.account_id = a.id and g.organization_id = a.organization_id and g.ended_at is null`;

/** A session that has entered something which is over is over as well, and so is that of a guest whose time is. */
export const isWithinVisit = `(s.visit_id is null or v.id is not null) and (g.id is null or g.until > $2)`;

/** The columns of `visitColumns`. */
export interface VisitRow {
  readonly visit: {
    readonly id: string;
    readonly kind: visits.VisitKind;
    readonly role: visits.VisitRole;
    readonly organization: string;
    readonly until: string | null;
    readonly by: string;
    readonly groups: string[] | null;
  } | null;
  readonly guest: { readonly id: string; readonly until: string; readonly by: string } | null;
}

/**
 * What a visit makes of an actor; 'over' where the account may not make it with its role. Support has the right of both: an own role of the main
 * account narrows what the organization gave to all of its people. A guest was named, and the role at home is about the vehicles of that company.
 */
export function visitOf({ visit, guest, id }: VisitRow & { readonly id: string }, role: Role): Partial<Actor> | 'over' {
  if (visit === null && guest !== null)
    return {
      visit: { id: guest.id, kind: 'guest', until: new Date(guest.until).toISOString(), atHome: true },
      with: [{ as: 'guest', email: guest.by }],
    };
  if (visit === null) return {};
  if (visit.kind === 'support' && role !== 'main') return 'over';
  const { organization: organizationId, kind, by, groups } = visit;
  const until = visit.until === null ? null : new Date(visit.until).toISOString();
  return {
    role: visit.role,
    ...(kind === 'guest' && { ownRole: undefined }),
    organizationId,
    limit: limitOfVisit(id, organizationId, groups),
    visit: { id: visit.id, kind, until, atHome: false },
    with: [{ as: kind, email: by }],
  };
}

/** The devices that a visitor sees; undefined = every device of the organization. */
export const limitOfVisit = (
  accountId: string,
  organizationId: string,
  groups: readonly string[] | null,
): DeviceLimit | undefined => (groups === null ? undefined : { accountId, organizationId, groups, tags: [] });

/**
 * What an actor entered, for what acts for someone later: the groups that it is limited to, null = every device; undefined = no longer open to it.
 * At home the role and the limit are those of the account.
 */
export async function findOpenVisit(
  queries: Queries,
  actor: Actor,
  now: Date,
): Promise<{ readonly groups: string[] | null } | undefined> {
  const { rows } = await sql<{ groups: string[] | null }>`select v.group_keys as groups from visits v
    join accounts a on a.id = ${actor.accountId}::uuid and a.main_account_id = v.main_account_id
    join organizations o on o.id = v.organization_id and o.deleted_at is null
    where v.id = ${actor.visit?.id ?? null}::uuid and v.organization_id = ${actor.organizationId}::uuid
      and (a.organization_id = v.organization_id or v.role = ${actor.role})
      and v.main_account_id = ${actor.mainAccountId}::uuid and v.ended_at is null and (v.until is null or v.until > ${now}::timestamptz)
      and a.roles <> '{}' and case v.kind when 'support' then a.organization_id is null else v.account_id = a.id end`.execute(
    queries,
  );
  return rows[0];
}

/** The support that an organization lets in at a moment. */
export async function findOpenSupport(
  queries: Queries,
  { organizationId, mainAccountId }: Pick<OrganizationScope, 'organizationId' | 'mainAccountId'>,
  now: Date,
): Promise<{ readonly id: string; readonly until: Date | null } | undefined> {
  const { rows } = await sql<{ id: string; until: Date | null }>`select v.id, v.until from visits v
    where v.organization_id = ${organizationId}::uuid and v.main_account_id = ${mainAccountId}::uuid and v.kind = 'support'
      and v.ended_at is null and (v.until is null or v.until > ${now}::timestamptz)`.execute(queries);
  return rows[0];
}

/** When the last visit ended of an account that was a guest of its organization alone, has no role since, and is in no directory; null = another one. */
export async function findEndedVisit(
  queries: Queries,
  { mainAccountId }: Pick<OrganizationScope, 'mainAccountId'>,
  accountId: string,
): Promise<Date | null> {
  const { rows } = await sql<{ ended_at: Date }>`select max(v.ended_at) as ended_at
    from accounts a join visits v on v.account_id = a.id and v.organization_id = a.organization_id
    where a.id = ${accountId}::uuid and a.main_account_id = ${mainAccountId}::uuid and a.roles = '{}'
      and not exists (select from scim_users u where u.account_id = a.id)
    having bool_and(v.ended_at is not null)`.execute(queries);
  return rows[0]?.ended_at ?? null;
}

/** The organizations that an account is a guest of. */
export async function listHosts(
  queries: Queries,
  { mainAccountId }: Pick<OrganizationScope, 'mainAccountId'>,
  accountId: string,
): Promise<OrganizationScope[]> {
  const { rows } = await sql<{ id: string }>`select v.organization_id as id from visits v
    where v.account_id = ${accountId}::uuid and v.main_account_id = ${mainAccountId}::uuid and v.ended_at is null order by 1`.execute(
    queries,
  );
  return rows.map(({ id: organizationId }) => ({ kind: 'organization', mainAccountId, organizationId }));
}

// Reads tables of other domains: identity_providers, identity_sessions.
import { MAIN_SERVICE } from '@highline/contract';
import { sql } from 'kysely';
import type { MainScope, OrganizationScope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { hasFullRole } from './admins/index.ts';
import { endBrowsersWithoutSession } from './every-session.ts';

type Company = MainScope | OrganizationScope;

/** Providers `p` that the people of a company must sign in by. */
const requiredFor = (company: Company) =>
  sql`p.is_enabled and p.is_required and p.main_account_id = ${company.mainAccountId}::uuid
    and p.organization_id is not distinct from ${company.kind === 'organization' ? company.organizationId : null}::uuid`;

/** Admins `a` of the company of a provider `p`, who belong to it and have a password. */
const adminsWithPassword = sql`a.main_account_id = p.main_account_id and a.organization_id is not distinct from p.organization_id
  and a.password_hash is not null and (case when p.organization_id is null then ${`r.${MAIN_SERVICE}.vendor.super`}
    else 'r.' || p.organization_id::text || '.super' end) = any(a.roles) and ${hasFullRole}`;

/** Whether an account must sign in by an identity provider: its company requires it, and does not except this address (IAM-01). */
export async function needsProvider(queries: Queries, company: MainScope | OrganizationScope, email: string): Promise<boolean> {
  const { rows } = await sql`select 1 from identity_providers p where ${requiredFor(company)}
    having count(*) > 0 and not bool_or(${email} = any(p.break_glass))`.execute(queries);
  return rows.length > 0;
}

/** How many of these addresses are of admins of a company who have a password. */
export async function countBreakGlass(tx: Tx, scope: MainScope | OrganizationScope, emails: readonly string[]): Promise<number> {
  const organization = scope.kind === 'organization' ? scope.organizationId : null;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select ${scope.mainAccountId}::uuid as main_account_id, ${organization}::uuid as organization_id) p
      join accounts a on ${adminsWithPassword} where a.email = any(${emails}::text[])`.execute(tx);
  return rows[0]!.count;
}

/** Whether an account is the only admin with a password at these addresses of a company. */
const isOnlyOneOf = (addresses: Fragment, id: string): Fragment => sql`exists (
  select from accounts a where a.email = any(${addresses}) and ${adminsWithPassword} having count(*) = 1 and bool_or(a.id = ${id}::uuid))`;

/**
 * Why an account must stay an admin who can sign in without the provider, or the networks, that its company requires; undefined: another one can,
 * or it cannot now.
 */
export async function findLastException(
  tx: Tx,
  company: MainScope | OrganizationScope,
  { id }: { readonly id: string },
): Promise<'account.last_break_glass' | 'account.last_excepted' | undefined> {
  const { rows } = await sql`select 1 from identity_providers p
    where ${requiredFor(company)} and ${isOnlyOneOf(sql`p.break_glass`, id)}`.execute(tx);
  if (rows.length > 0) return 'account.last_break_glass';
  const { rows: excepted } = await sql`select 1 from sign_in_policies p
    where p.company_id = ${company.kind === 'organization' ? company.organizationId : company.mainAccountId}::uuid
      and p.main_account_id = ${company.mainAccountId}::uuid and p.ranges <> '{}' and ${isOnlyOneOf(sql`p.excepted`, id)}`.execute(
    tx,
  );
  return excepted.length > 0 ? 'account.last_excepted' : undefined;
}

/** Whether an address is of those who may sign in without the provider, or from any network, that the organization requires. */
export async function isExcepted(tx: Tx, company: OrganizationScope, email: string): Promise<boolean> {
  const { rows } = await sql`select 1 where exists (
      select from identity_providers p where ${requiredFor(company)} and ${email} = any(p.break_glass))
    or exists (select from sign_in_policies s where s.company_id = ${company.organizationId}::uuid
      and s.main_account_id = ${company.mainAccountId}::uuid and s.ranges <> '{}' and ${email} = any(s.excepted))`.execute(tx);
  return rows.length > 0;
}

/**
 * End the sessions of a company that began by password, but for those of some addresses and for one.
 * @returns the accounts whose sessions ended
 */
export async function endPasswordSessions(
  tx: Tx,
  scope: MainScope | OrganizationScope,
  kept: { readonly emails: readonly string[]; readonly bearerHash: Buffer },
  now: Date,
): Promise<string[]> {
  const organization = scope.kind === 'organization' ? scope.organizationId : null;
  const { rows } = await sql<{ account_id: string }>`delete from sessions s using accounts a
    where a.id = s.account_id and a.main_account_id = ${scope.mainAccountId}::uuid and a.organization_id is not distinct from ${organization}::uuid
      and a.email <> all(${kept.emails}::text[]) and s.bearer_hash <> ${kept.bearerHash}
      and not exists (select from identity_sessions i where i.bearer_hash = s.bearer_hash)
    returning s.account_id`.execute(tx);
  const accounts = [...new Set(rows.map(({ account_id: id }) => id))];
  await endBrowsersWithoutSession(tx, scope, accounts, now);
  return accounts;
}

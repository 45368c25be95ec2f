import { MAIN_SERVICE, type Language } from '@highline/contract';
import { sql } from 'kysely';
import { plainAddress, type MainScope, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { natural } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { hasFullRole } from './admins/index.ts';

type Company = MainScope | OrganizationScope;

const idOf = (company: Company) => (company.kind === 'organization' ? company.organizationId : company.mainAccountId);
/** Networks are compared with it in the database. */
const inetOf = (address: string) => sql`${plainAddress(address) ?? null}::inet`;
const policyOf = (company: Company) =>
  sql`p.company_id = ${idOf(company)}::uuid and p.main_account_id = ${company.mainAccountId}::uuid`;

/** People `a` of a company itself who have a password. */
const peopleOf = (company: Company) =>
  sql`a.main_account_id = ${company.mainAccountId}::uuid and a.password_hash is not null and ${
    company.kind === 'organization'
      ? sql`a.organization_id = ${company.organizationId}::uuid`
      : sql`a.organization_id is null and ${`r.${MAIN_SERVICE}.vendor.super`} = any(a.roles)`
  }`;

/** An account `a` has an authenticator app or a passkey. */
const hasFactor = sql`(exists (select from second_factors f where f.account_id = a.id and f.confirmed_at is not null)
  or exists (select from passkeys k where k.account_id = a.id))`;

/** What a policy says. */
export interface PolicyRow {
  readonly needs_factor: boolean;
  readonly idle_minutes: number;
  readonly lifetime_hours: number;
  readonly ranges: string[];
  readonly excepted: string[];
  readonly changed_by_email: string;
  readonly version: number;
}

/** The policy of a company; undefined = it never had one. */
export async function findPolicy(queries: Queries, company: MainScope | OrganizationScope): Promise<PolicyRow | undefined> {
  const { rows } =
    await sql<PolicyRow>`select p.needs_factor, p.idle_minutes, p.lifetime_hours, p.ranges::text[] as ranges, p.excepted,
      p.changed_by_email, p.version
    from sign_in_policies p where ${policyOf(company)}`.execute(queries);
  return rows[0];
}

/** What the policy of a company says about a sign-in. */
export interface SignInRules {
  readonly needs_factor: boolean;
  readonly is_in_range: boolean;
}

const NO_RULES: SignInRules = { needs_factor: false, is_in_range: true };

/** The rules for a sign-in of a person from an address. */
export async function findSignInRules(
  queries: Queries,
  company: MainScope | OrganizationScope,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<SignInRules> {
  const { rows } = await sql<SignInRules>`select p.needs_factor,
      (p.ranges = '{}' or ${email} = any(p.excepted) or coalesce(${inetOf(address)} <<= any(p.ranges), false)) as is_in_range
    from sign_in_policies p where ${policyOf(company)}`.execute(queries);
  return rows[0] ?? NO_RULES;
}

/** How many people of a company have a password, and how many of these no second factor. */
export async function countPeople(
  queries: Queries,
  company: MainScope | OrganizationScope,
): Promise<{ readonly people: number; readonly without: number }> {
  const { rows } = await sql<{ people: number; without: number }>`select count(*)::int as people,
      (count(*) filter (where not ${hasFactor}))::int as without
    from accounts a where ${peopleOf(company)}`.execute(queries);
  return rows[0]!;
}

/** A person whom a change of the policy concerns. */
export interface Concerned {
  readonly email: string;
  readonly name: string;
  readonly language: string | null;
  readonly has_factor: boolean;
}

/** People of a company with a password; of these addresses, if there are any. */
export async function findConcerned(
  tx: Tx,
  company: MainScope | OrganizationScope,
  emails: readonly string[] | undefined,
): Promise<Concerned[]> {
  const { rows } = await sql<Concerned>`select a.email, a.name, a.language, ${hasFactor} as has_factor from accounts a
    where ${peopleOf(company)} and (${emails === undefined}::boolean or a.email = any(${emails ?? []}::text[]))
    order by a.id`.execute(tx);
  return rows;
}

/** Whether an account of a main account has an authenticator app or a passkey other than one. @param except id of a passkey, or 'app' */
export async function hasOtherFactor(
  queries: Queries,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  accountId: string,
  except: string,
): Promise<boolean> {
  const { rows } = await sql`select from accounts a where a.id = ${accountId}::uuid and a.main_account_id = ${mainAccountId}::uuid
    and ((${except !== 'app'}::boolean and exists (select from second_factors f where f.account_id = a.id and f.confirmed_at is not null))
      or exists (select from passkeys k where k.account_id = a.id and k.id::text <> ${except}))`.execute(queries);
  return rows.length > 0;
}

/** Admins who belong to a company and have a password or a provider's sign-in, by name. @param most how many */
export async function findAdmins(
  queries: Queries,
  company: MainScope | OrganizationScope,
  most: number,
): Promise<{ readonly name: string; readonly email: string; readonly language: Language }[]> {
  const isAdmin =
    company.kind === 'organization'
      ? sql`a.organization_id = ${company.organizationId}::uuid and ${`r.${company.organizationId}.super`} = any(a.roles)`
      : sql`a.organization_id is null and ${`r.${MAIN_SERVICE}.vendor.super`} = any(a.roles)`;
  const { rows } = await sql<{
    name: string;
    email: string;
    language: Language;
  }>`select a.name, a.email, coalesce(a.language, 'en-US') as language from accounts a
    where a.main_account_id = ${company.mainAccountId}::uuid and ${isAdmin} and ${hasFullRole} and (a.password_hash is not null or a.signed_in_at is not null)
    order by ${natural(sql`a.name`)}, a.id limit ${most}`.execute(queries);
  return rows;
}

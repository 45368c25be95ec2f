// Reads tables of other domains: accounts, groups, organizations, sessions.
import { identityProviders as calls } from '@highline/contract';
import { sql } from 'kysely';
import {
  DomainError,
  isId,
  required,
  type Actor,
  type MainScope,
  type OrganizationScope,
  type Scope,
} from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { defineResource } from '../../platform/resources/resource.ts';
import { recordAudit } from '../logs/index.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'identity_providers.rules': calls.ProviderRule[];
  }
}

interface Joined {
  readonly rules: calls.ProviderRule[];
  readonly domains: { readonly domain: string; readonly confirmed: 'dns' | 'assigned' | null; readonly token: string }[];
  readonly people: number;
  /** Names of the groups that rules limit to, by key. */
  readonly group_names: Readonly<Record<string, string>>;
}

/** Identity providers of organizations and main accounts (IAM-01). */
export const providers = defineResource({
  table: 'identity_providers',
  name: 'identity-providers',
  topic: 'providers',
  subject: 'identity-provider',
  record: recordAudit,
  response: calls.identityProvider,
  input: calls.saveProvider.body,
  missing: 'provider.not_found',
  limit: { most: calls.MOST_PROVIDERS, error: 'provider.too_many' },
  columns: { enabled: 'is_enabled', required: 'is_required', created: 'created_at', by: 'created_by_email' },
  joined: sql`e.rules,
    coalesce((select jsonb_agg(jsonb_build_object('domain', d.domain, 'confirmed', d.confirmed, 'token', d.token) order by d.domain)
      from identity_domains d where d.provider_id = e.id), '[]') as domains,
    (select count(*)::int from identity_links l where l.provider_id = e.id) as people,
    coalesce((select jsonb_object_agg(g.key, g.name) from groups g where g.organization_id = e.organization_id and g.key in (
      select jsonb_array_elements_text(r -> 'limit' -> 'groups') from jsonb_array_elements(e.rules) r)), '{}') as group_names`,
  joins: sql``,
  read: (reader, statement) => reader.rows<Joined>(statement, true),
  computed: {
    // Groups that were deleted are left out.
    rules: ({ rules, group_names: names }) =>
      rules.map(({ limit, ...rule }) =>
        limit === undefined ? rule : { ...rule, limit: { ...limit, groups: limit.groups.flatMap((key) => names[key] ?? []) } },
      ),
    domains: ({ domains }) =>
      domains.map(({ domain, confirmed, token }) => ({ domain, confirmed, text: `${calls.DOMAIN_TEXT}${token}` })),
    people: ({ people }) => people,
  },
});

export type LockedProvider = Awaited<ReturnType<typeof providers.lock>>;
export type ProviderFields = ReturnType<typeof providers.fieldsOf>;

/** The company of an actor: its organization, or its main account. */
export function companyOf({
  mainAccountId,
  organizationId,
}: Pick<Actor, 'mainAccountId' | 'organizationId'>): MainScope | OrganizationScope {
  return organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };
}

/** The keys of groups of an organization by their names, as they are typed. */
export async function findGroupKeys(
  tx: Tx,
  { organizationId }: OrganizationScope,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ typed: string; key: string }>`select n.typed, g.key from unnest(${[...names]}::text[]) n (typed)
    join groups g on g.organization_id = ${organizationId}::uuid and name_key(g.name) = name_key(n.typed)`.execute(tx);
  return new Map(rows.map(({ typed, key }) => [typed, key]));
}

/** What a sign-in by a provider needs of it. */
export interface ActiveProvider {
  readonly id: string;
  readonly main_account_id: string;
  readonly organization_id: string | null;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly sealed_secret: Buffer;
  readonly scopes: string;
  readonly trusts_email: boolean;
  readonly rules: calls.ProviderRule[];
  readonly default_role: calls.ProviderRole;
  readonly break_glass: string[];
  /** Confirmed ones. */
  readonly domains: string[];
}

const activeColumns = sql`p.id, p.main_account_id, p.organization_id, p.name, p.issuer, p.client_id, p.sealed_secret, p.scopes, p.trusts_email,
  p.rules, p.default_role, p.break_glass,
  array(select d.domain from identity_domains d where d.provider_id = p.id and d.confirmed is not null) as domains`;
/** Of a company that still exists. */
const isActive = sql`p.is_enabled and (p.organization_id is null
  or exists (select from organizations o where o.id = p.organization_id and o.deleted_at is null))`;

/** An enabled provider by its id. No scope: it signs people in, or ends their sessions. */
export async function findActiveProvider(queries: Queries, id: string): Promise<ActiveProvider | undefined> {
  const { rows } = await sql<ActiveProvider>`select ${activeColumns} from identity_providers p
    where p.id = ${id}::uuid and ${isActive}`.execute(queries);
  return rows[0];
}

/** A provider of a company, enabled or not. */
export async function findOwnProvider(
  queries: Queries,
  { mainAccountId, ...company }: MainScope | OrganizationScope,
  id: string,
): Promise<ActiveProvider | undefined> {
  const organization = company.kind === 'organization' ? company.organizationId : null;
  const { rows } = await sql<ActiveProvider>`select ${activeColumns} from identity_providers p where p.id = ${id}::uuid
    and p.main_account_id = ${mainAccountId}::uuid and p.organization_id is not distinct from ${organization}::uuid`.execute(
    queries,
  );
  return rows[0];
}

/** How a domain of a provider of a company is confirmed; null = not. @throws DomainError `provider.not_found` */
export async function findConfirmed(
  queries: Queries,
  { mainAccountId, ...company }: MainScope | OrganizationScope,
  id: string,
  domain: string,
): Promise<'dns' | 'assigned' | null> {
  if (!isId(id)) throw new DomainError('provider.not_found');
  const organization = company.kind === 'organization' ? company.organizationId : null;
  const { rows } = await sql<{ confirmed: 'dns' | 'assigned' | null }>`select d.confirmed from identity_domains d
    join identity_providers p on p.id = d.provider_id where p.id = ${id}::uuid and d.domain = ${domain}
      and p.main_account_id = ${mainAccountId}::uuid and p.organization_id is not distinct from ${organization}::uuid`.execute(
    queries,
  );
  return required(rows[0], 'provider.not_found').confirmed;
}

/** The account that a provider knows by its own name for a person. */
export async function findLinked(
  tx: Tx,
  { mainAccountId }: Scope,
  providerId: string,
  subject: string,
): Promise<string | undefined> {
  const { rows } = await sql<{
    account_id: string;
  }>`select l.account_id from identity_links l join accounts a on a.id = l.account_id
    where l.provider_id = ${providerId}::uuid and l.subject = ${subject} and a.main_account_id = ${mainAccountId}::uuid`.execute(
    tx,
  );
  return rows[0]?.account_id;
}

/**
 * Sessions that a provider began: of one session of its own, of a person, or all.
 * @param until those that began later stay
 */
export async function findProviderSessions(
  tx: Tx,
  { mainAccountId }: Scope,
  providerId: string,
  which: { readonly subject?: string | undefined; readonly session?: string | undefined; readonly until: Date },
): Promise<Buffer[]> {
  const { subject = null, session = null, until } = which;
  const { rows } = await sql<{ bearer_hash: Buffer }>`select i.bearer_hash from identity_sessions i
      join sessions s using (bearer_hash) join accounts a on a.id = i.account_id
    where i.provider_id = ${providerId}::uuid and a.main_account_id = ${mainAccountId}::uuid
      and (${subject}::text is null or i.subject = ${subject})
      and (${session}::text is null or i.provider_session = ${session}) and s.created_at <= ${until}::timestamptz`.execute(tx);
  return rows.map(({ bearer_hash: hash }) => hash);
}

/** The enabled provider that began a session, and its name for the person. */
export async function findProviderOfSession(
  queries: Queries,
  { accountId, mainAccountId, sessionId }: Pick<Actor, 'accountId' | 'mainAccountId' | 'sessionId'>,
): Promise<(ActiveProvider & { readonly subject: string }) | undefined> {
  const { rows } = await sql<ActiveProvider & { subject: string }>`select ${activeColumns}, i.subject from identity_sessions i
      join identity_providers p on p.id = i.provider_id
    where i.bearer_hash = ${Buffer.from(sessionId, 'hex')} and i.account_id = ${accountId}::uuid
      and p.main_account_id = ${mainAccountId}::uuid and ${isActive}`.execute(queries);
  return rows[0];
}

/**
 * The enabled provider for an e-mail address, of the company of its account if there is one: the one that knows the account, or the one with
 * the domain. A proven domain counts before an assigned one, since main accounts assign domains without asking each other.
 */
export async function findProviderFor(queries: Queries, email: string): Promise<ActiveProvider | undefined> {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const { rows } =
    await sql<ActiveProvider>`with person as (select id, main_account_id, organization_id from accounts where email = ${email})
    select ${activeColumns} from identity_providers p
      left join identity_domains d on d.provider_id = p.id and d.domain = ${domain} and d.confirmed is not null
      left join person a on a.main_account_id = p.main_account_id and a.organization_id is not distinct from p.organization_id
      left join identity_links l on l.provider_id = p.id and l.account_id = a.id
    where ${isActive} and (d.domain is not null or l.account_id is not null) and (a.id is not null or not exists (select from person
      where organization_id is not null or main_account_id <> p.main_account_id))
    order by l.account_id is null, d.confirmed = 'dns' desc nulls last, d.confirmed_at, p.id limit 1`.execute(queries);
  return rows[0];
}

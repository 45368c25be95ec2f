// Reads tables of other domains: groups, organizations.
import { identityProviders as calls } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, isId, required, type Actor, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
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
  readonly version: number;
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

export const activeColumns = sql`p.id, p.version, p.main_account_id, p.organization_id, p.name, p.issuer, p.client_id, p.sealed_secret, p.scopes, p.trusts_email,
  p.rules, p.default_role, p.break_glass,
  array(select d.domain from identity_domains d where d.provider_id = p.id and d.confirmed is not null) as domains`;
/** Of a company that still exists. */
export const isActive = sql`p.is_enabled and (p.organization_id is null
  or exists (select from organizations o where o.id = p.organization_id and o.deleted_at is null))`;

/** An enabled provider by its id. No scope: it signs people in, or ends their sessions. */
export async function findActiveProvider(queries: Queries, id: string): Promise<ActiveProvider | undefined> {
  const { rows } = await sql<ActiveProvider>`select ${activeColumns} from identity_providers p
    where p.id = ${id}::uuid and ${isActive}`.execute(queries);
  return rows[0];
}

/** An enabled provider of a company; it stays as it is until the transaction ends. */
export async function lockActiveProvider(
  tx: Tx,
  { mainAccountId }: MainScope | OrganizationScope,
  id: string,
): Promise<ActiveProvider | undefined> {
  const { rows } = await sql<ActiveProvider>`select ${activeColumns} from identity_providers p
    where p.id = ${id}::uuid and p.main_account_id = ${mainAccountId}::uuid and ${isActive} for share of p`.execute(tx);
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

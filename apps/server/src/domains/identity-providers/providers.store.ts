import { randomBytes } from 'node:crypto';
import type { identityProviders } from '@highline/contract';
import { sql } from 'kysely';
import { type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

const TOKEN_BYTES = 20;

/** Give a locked provider these domains: those that it had stay confirmed, new ones are not. */
export async function setDomains(tx: Tx, { mainAccountId }: Scope, id: string, domains: readonly string[]): Promise<void> {
  const distinct = [...new Set(domains)];
  const tokens = distinct.map(() => randomBytes(TOKEN_BYTES).toString('hex'));
  await sql`delete from identity_domains where provider_id = ${id}::uuid and main_account_id = ${mainAccountId}::uuid
    and domain <> all(${distinct}::text[])`.execute(tx);
  await sql`insert into identity_domains (provider_id, domain, main_account_id, token)
    select ${id}::uuid, n.domain, ${mainAccountId}::uuid, n.token
    from unnest(${distinct}::text[], ${tokens}::text[]) n (domain, token) on conflict do nothing`.execute(tx);
}

/** Give a locked provider these rules. */
export async function setRules(
  tx: Tx,
  { mainAccountId }: Scope,
  id: string,
  rules: readonly identityProviders.ProviderRule[],
): Promise<void> {
  await sql`update identity_providers set rules = ${JSON.stringify(rules)}::jsonb
    where id = ${id}::uuid and main_account_id = ${mainAccountId}::uuid`.execute(tx);
}

/** The domains of a locked provider that are confirmed. */
export async function countConfirmed(tx: Tx, { mainAccountId }: Scope, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from identity_domains
    where provider_id = ${id}::uuid and main_account_id = ${mainAccountId}::uuid and confirmed is not null`.execute(tx);
  return rows[0]!.count;
}

export type DomainRow = Row<'identity_domains', 'domain' | 'token' | 'confirmed'>;

/** A domain of a locked provider. */
export function findDomain(tx: Tx, { mainAccountId }: Scope, id: string, domain: string): Promise<DomainRow | undefined> {
  return tx
    .selectFrom('identity_domains')
    .select(['domain', 'token', 'confirmed'])
    .where('provider_id', '=', id)
    .where('main_account_id', '=', mainAccountId)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/**
 * Confirm a domain of a locked provider, or take that back.
 * @returns false if another provider of the main account has it
 */
export async function confirm(
  tx: Tx,
  { mainAccountId }: Scope,
  id: string,
  domain: string,
  confirmed: 'dns' | 'assigned' | null,
  now: Date,
): Promise<boolean> {
  // Two at once wait for each other, so that neither meets the unique index.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${domain} of ${mainAccountId}`}, 0))`.execute(tx);
  const { rows } =
    await sql`update identity_domains d set confirmed = ${confirmed}, confirmed_at = ${confirmed === null ? null : now}::timestamptz
    where d.provider_id = ${id}::uuid and d.main_account_id = ${mainAccountId}::uuid and d.domain = ${domain}
      and (${confirmed}::text is null or not exists (
        select from identity_domains o where o.domain = d.domain and o.main_account_id = d.main_account_id
          and o.provider_id <> d.provider_id and o.confirmed is not null))
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Note whom a provider means by a name. An account that it knew by another name is known by this one. */
export async function link(
  tx: Tx,
  { mainAccountId }: Scope,
  { providerId, subject, accountId }: Omit<ProviderSession, 'session'>,
  now: Date,
): Promise<void> {
  await sql`insert into identity_links (provider_id, subject, account_id, created_at)
    select p.id, ${subject}, ${accountId}::uuid, ${now}::timestamptz from identity_providers p
    where p.id = ${providerId}::uuid and p.main_account_id = ${mainAccountId}::uuid
    on conflict (account_id, provider_id) do update set subject = excluded.subject`.execute(tx);
}

/** Forget whom a locked provider means by its names. */
export async function removeLinks(tx: Tx, { mainAccountId }: Scope, id: string): Promise<void> {
  await sql`delete from identity_links l using identity_providers p
    where p.id = l.provider_id and p.id = ${id}::uuid and p.main_account_id = ${mainAccountId}::uuid`.execute(tx);
}

export interface ProviderSession {
  readonly accountId: string;
  readonly providerId: string;
  /** The provider's own name for the person. */
  readonly subject: string;
  /** Claim `sid`. */
  readonly session: string | null;
}

/** Note that a provider began a session. */
export async function insertProviderSession(
  tx: Tx,
  { mainAccountId }: Scope,
  bearerHash: Buffer,
  { accountId, providerId, subject, session }: ProviderSession,
): Promise<void> {
  await sql`insert into identity_sessions (bearer_hash, account_id, provider_id, subject, provider_session)
    select ${bearerHash}, ${accountId}::uuid, p.id, ${subject}, ${session} from identity_providers p
    where p.id = ${providerId}::uuid and p.main_account_id = ${mainAccountId}::uuid`.execute(tx);
}

/** Delete the providers of an organization that is being deleted: no one signs in by them, and their domains are free. */
export async function removeProvidersOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('identity_providers').where('organization_id', '=', organizationId).execute();
}

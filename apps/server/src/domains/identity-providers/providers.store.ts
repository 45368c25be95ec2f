// Reads tables of other domains: sessions.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { DomainError, isId, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

const TOKEN_BYTES = 20;

type OwnedProvider = Pick<Row<'identity_providers', 'id' | 'main_account_id'>, 'id' | 'main_account_id'>;

/** Give a locked provider these domains: those that it had stay confirmed, new ones are not. */
export async function setDomains(tx: Tx, provider: OwnedProvider, domains: readonly string[]): Promise<void> {
  const distinct = [...new Set(domains)];
  const tokens = distinct.map(() => randomBytes(TOKEN_BYTES).toString('hex'));
  await sql`delete from identity_domains where provider_id = ${provider.id}::uuid and domain <> all(${distinct}::text[])`.execute(
    tx,
  );
  await sql`insert into identity_domains (provider_id, domain, main_account_id, token)
    select ${provider.id}::uuid, n.domain, ${provider.main_account_id}::uuid, n.token
    from unnest(${distinct}::text[], ${tokens}::text[]) n (domain, token) on conflict do nothing`.execute(tx);
}

/** The domains of a locked provider that are confirmed. */
export async function countConfirmed(tx: Tx, { id }: OwnedProvider): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from identity_domains
    where provider_id = ${id}::uuid and confirmed is not null`.execute(tx);
  return rows[0]!.count;
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
  if (rows[0] === undefined) throw new DomainError('provider.not_found');
  return rows[0].confirmed;
}

export type DomainRow = Row<'identity_domains', 'domain' | 'token' | 'confirmed'>;

/** A domain of a locked provider. */
export function findDomain(tx: Tx, { id }: OwnedProvider, domain: string): Promise<DomainRow | undefined> {
  return tx
    .selectFrom('identity_domains')
    .select(['domain', 'token', 'confirmed'])
    .where('provider_id', '=', id)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/**
 * Confirm a domain of a locked provider, or take that back.
 * @returns false if another provider of the main account has it
 */
export async function confirm(
  tx: Tx,
  { id, main_account_id: mainAccountId }: OwnedProvider,
  domain: string,
  confirmed: 'dns' | 'assigned' | null,
  now: Date,
): Promise<boolean> {
  // Two at once wait for each other, so that neither meets the unique index.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${domain} of ${mainAccountId}`}, 0))`.execute(tx);
  const { rows } =
    await sql`update identity_domains d set confirmed = ${confirmed}, confirmed_at = ${confirmed === null ? null : now}::timestamptz
    where d.provider_id = ${id}::uuid and d.domain = ${domain} and (${confirmed}::text is null or not exists (
      select from identity_domains o where o.domain = d.domain and o.main_account_id = d.main_account_id
        and o.provider_id <> d.provider_id and o.confirmed is not null))
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** The account that a provider knows by its own name for a person. */
export async function findLinked(tx: Tx, providerId: string, subject: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('identity_links')
    .select('account_id')
    .where('provider_id', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account_id;
}

/** Note whom a provider means by a name. An account that it knew by another name is known by this one. */
export async function link(tx: Tx, providerId: string, subject: string, accountId: string, now: Date): Promise<void> {
  await sql`insert into identity_links (provider_id, subject, account_id, created_at)
    values (${providerId}::uuid, ${subject}, ${accountId}::uuid, ${now}::timestamptz)
    on conflict (account_id, provider_id) do update set subject = excluded.subject`.execute(tx);
}

export interface ProviderSession {
  readonly accountId: string;
  readonly providerId: string;
  readonly subject: string;
  /** Claim `sid`. */
  readonly session: string | null;
}

/** Note that a provider began a session. */
export async function insertProviderSession(tx: Tx, bearerHash: Buffer, session: ProviderSession): Promise<void> {
  await tx
    .insertInto('identity_sessions')
    .values({
      bearer_hash: bearerHash,
      account_id: session.accountId,
      provider_id: session.providerId,
      subject: session.subject,
      provider_session: session.session,
    })
    .execute();
}

/**
 * Sessions that a provider began: of one session of its own, of a person, or all.
 * @param until those that began later stay
 */
export async function findProviderSessions(
  tx: Tx,
  providerId: string,
  which: { readonly subject?: string | undefined; readonly session?: string | undefined; readonly until: Date },
): Promise<Buffer[]> {
  const { subject = null, session = null, until } = which;
  const { rows } = await sql<{
    bearer_hash: Buffer;
  }>`select i.bearer_hash from identity_sessions i join sessions s using (bearer_hash)
    where i.provider_id = ${providerId}::uuid and (${subject}::text is null or i.subject = ${subject})
      and (${session}::text is null or i.provider_session = ${session}) and s.created_at <= ${until}::timestamptz`.execute(tx);
  return rows.map(({ bearer_hash: hash }) => hash);
}

/** Delete the providers of an organization that is being deleted: no one signs in by them, and their domains are free. */
export async function removeProvidersOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('identity_providers').where('organization_id', '=', organizationId).execute();
}

/** Forget whom a locked provider means by its names. */
export async function removeLinks(tx: Tx, { id }: OwnedProvider): Promise<void> {
  await tx.deleteFrom('identity_links').where('provider_id', '=', id).execute();
}

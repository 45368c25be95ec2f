// Reads tables of other domains: accounts, sessions.
import { sql } from 'kysely';
import type { Actor, Scope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { type ActiveProvider, activeColumns, isActive } from './providers.queries.ts';

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

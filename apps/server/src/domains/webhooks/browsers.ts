import { alertPeople, type Language } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, newId, type Actor, type OrganizationScope, type Sealing } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/index.ts';
import type { WebCaller } from '../../platform/ports/web-caller.ts';
import { listBrowsers } from './browsers.queries.ts';
import { arePushKeys, type PushKeys } from './web-push.ts';

export interface BrowserDeps {
  readonly caller: WebCaller;
  readonly webhookSealing: Sealing;
}

/** A browser as it registers. */
export interface BrowserInput extends PushKeys {
  /** Address of its push service. */
  readonly endpoint: string;
  readonly language: Language;
}

/**
 * Send messages of a person to a browser. One that another person used before, of whichever customer, is that person's no more: the user who
 * signs in last gets them. Only the browser itself knows its address.
 * @throws DomainError `webhook.url_invalid`, `request.invalid` for keys that no browser makes
 */
export async function addBrowser(
  { caller, webhookSealing }: BrowserDeps,
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  { endpoint, p256dh, auth, language }: BrowserInput,
  now: Date,
): Promise<void> {
  const fault = caller.faultOf(endpoint);
  if (fault !== undefined) throw new DomainError('webhook.url_invalid', { field: 'endpoint', message: fault });
  if (!arePushKeys({ p256dh, auth })) throw new DomainError('request.invalid', { field: 'p256dh' });
  const url = new URL(endpoint).href;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`browsers of ${actor.accountId}`}, 0))`.execute(tx);
  const isOfScope = sql`organization_id = ${scope.organizationId}::uuid`;
  await sql`delete from webhook_endpoints where format = 'push' and url = ${url}
    and (account_id <> ${actor.accountId}::uuid or ${isOfScope})`.execute(tx);
  await sql`delete from webhook_endpoints where id in (select id from webhook_endpoints where account_id = ${actor.accountId}::uuid and ${isOfScope}
    order by created_at desc offset ${alertPeople.MOST_BROWSERS - 1})`.execute(tx);
  const id = newId(now.getTime());
  await tx
    .insertInto('webhook_endpoints')
    .values({
      id,
      main_account_id: scope.mainAccountId,
      organization_id: scope.organizationId,
      name: actor.email,
      url,
      format: 'push',
      event_types: [],
      is_enabled: true,
      sealed_secret: webhookSealing.seal(id, Buffer.from(JSON.stringify({ p256dh, auth }))),
      created_by_email: actor.email,
      created_at: now,
      updated_at: now,
      account_id: actor.accountId,
      language,
    })
    .execute();
}

/** @returns how many there were: none or one */
export async function removeBrowser(tx: Tx, scope: OrganizationScope, { accountId }: Actor, endpoint: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_endpoints')
    .where('organization_id', '=', scope.organizationId)
    .where('account_id', '=', accountId)
    .where('url', '=', urlOf(endpoint))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Delete browsers whose push service says that they are gone. */
export async function deleteGone(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .deleteFrom('webhook_endpoints')
    .where('id', 'in', [...ids])
    .where('format', '=', 'push')
    .execute();
}

/** Delete the browsers of a person who leaves an organization. */
export async function removeBrowsersOf(tx: Tx, { organizationId }: OrganizationScope, accountId: string): Promise<void> {
  await tx
    .deleteFrom('webhook_endpoints')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .execute();
}

/** Delete the browsers of people who get no push messages of an organization any more, by address. */
export async function removeBrowsersAt(tx: Tx, scope: OrganizationScope, mails: readonly string[]): Promise<void> {
  await deleteGone(tx, await listBrowsers(tx, scope, mails));
}

/** Delete the browsers of a person in every organization, or the one with this address. @returns the organizations that had some */
export async function removeAccountBrowsers(
  tx: Tx,
  accountId: string,
  endpoint: string | undefined,
): Promise<OrganizationScope[]> {
  const { rows } = await sql<{ main_account_id: string; organization_id: string }>`with gone as (delete from webhook_endpoints
      where format = 'push' and account_id = ${accountId}::uuid ${endpoint === undefined ? sql`` : sql`and url = ${urlOf(endpoint)}`}
      returning main_account_id, organization_id)
    select distinct main_account_id, organization_id from gone order by organization_id`.execute(tx);
  return rows.map((row) => ({ kind: 'organization', mainAccountId: row.main_account_id, organizationId: row.organization_id }));
}

const urlOf = (endpoint: string) => (URL.canParse(endpoint) ? new URL(endpoint).href : '');

/** The browsers that a person has here, and how many of them get no messages: their push service confirms none. */
export async function listOwnBrowsers(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { accountId }: Actor,
): Promise<{ readonly browsers: number; readonly endpoints: string[]; readonly failing: number }> {
  const rows = await queries
    .selectFrom('webhook_endpoints')
    .select(['url', 'failing_since'])
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .execute();
  const failing = rows.filter(({ failing_since: since }) => since !== null);
  return { browsers: rows.length, endpoints: rows.map(({ url }) => url), failing: failing.length };
}

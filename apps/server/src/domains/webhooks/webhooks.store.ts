import { sql } from 'kysely';
import { isId, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Queries, Row, Tx } from '../../platform/ports/index.ts';
import type { Attempt } from './retry.ts';

/** What a person sets. */
export type EndpointFields = Row<
  'webhook_endpoints',
  'name' | 'url' | 'format' | 'event_types' | 'group_keys' | 'tags' | 'is_enabled'
>;

export type LockedEndpoint = EndpointFields &
  Row<
    'webhook_endpoints',
    | 'id'
    | 'main_account_id'
    | 'organization_id'
    | 'sealed_secret'
    | 'previous_secret'
    | 'previous_until'
    | 'version'
    | 'suspended_at'
    | 'suspended_by'
  >;

/** The condition of webhooks that a scope covers, on `webhook_endpoints e`. */
export function webhooksOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`e.organization_id = ${scope.organizationId}::uuid`
    : sql`e.main_account_id = ${scope.mainAccountId}::uuid`;
}

const isOf = (scope: Scope) => sql<boolean>`${webhooksOf(scope)}`;

const idsOf = (queries: Queries, scope: Scope) => queries.selectFrom('webhook_endpoints as e').select('e.id').where(isOf(scope));

/** Whether all of these are webhooks of the organization itself. */
export async function areWebhooks(
  queries: Queries,
  { organizationId }: OrganizationScope,
  ids: readonly string[],
): Promise<boolean> {
  const distinct = [...new Set(ids)];
  if (!distinct.every(isId)) return false;
  if (distinct.length === 0) return true;
  const rows = await queries
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', distinct)
    .execute();
  return rows.length === distinct.length;
}

/** How many webhooks this very owner has. Creations of one owner wait for each other. */
export async function countOwnWebhooks(tx: Tx, scope: Scope): Promise<number> {
  const owner = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${owner}`}, 0))`.execute(tx);
  const own = scope.kind === 'organization' ? sql`true` : sql`e.organization_id is null`;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhook_endpoints e
    where ${webhooksOf(scope)} and ${own}`.execute(tx);
  return rows[0]!.count;
}

export async function insertWebhook(
  tx: Tx,
  scope: Scope,
  endpoint: EndpointFields & Row<'webhook_endpoints', 'id' | 'sealed_secret' | 'created_by_email'>,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('webhook_endpoints')
    .values({
      ...endpoint,
      main_account_id: scope.mainAccountId,
      organization_id: scope.kind === 'organization' ? scope.organizationId : null,
      created_at: now,
      updated_at: now,
      previous_secret: null,
      previous_until: null,
      failing_since: null,
      suspended_at: null,
      suspended_by: null,
    })
    .execute();
}

/** Lock a webhook of the scope; undefined also for an invalid id. */
export async function lockWebhook(tx: Tx, scope: Scope, id: string): Promise<LockedEndpoint | undefined> {
  if (!isId(id)) return undefined;
  const { rows } =
    await sql<LockedEndpoint>`select e.id, e.main_account_id, e.organization_id, e.name, e.url, e.format, e.event_types,
      e.group_keys, e.tags, e.is_enabled, e.sealed_secret, e.previous_secret, e.previous_until, e.version, e.suspended_at, e.suspended_by
    from webhook_endpoints e where e.id = ${id}::uuid and ${webhooksOf(scope)} for no key update`.execute(tx);
  return rows[0];
}

/** Change a locked webhook. */
export async function updateWebhook(
  tx: Tx,
  scope: Scope,
  { id, version }: Pick<LockedEndpoint, 'id' | 'version'>,
  change: Partial<EndpointFields & Row<'webhook_endpoints', 'sealed_secret' | 'previous_secret' | 'previous_until'>>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints as e')
    .set({ ...change, version: version + 1, updated_at: now })
    .where('e.id', '=', id)
    .where(isOf(scope))
    .execute();
}

/** Suspend a locked webhook. @param by e-mail address; null = it failed for days */
export async function markSuspended(tx: Tx, scope: Scope, id: string, by: string | null, now: Date): Promise<void> {
  await tx
    .updateTable('webhook_endpoints as e')
    .set({ suspended_at: now, suspended_by: by })
    .where('e.id', '=', id)
    .where(isOf(scope))
    .execute();
}

/** Resume a locked webhook: everything that waits is due. */
export async function markResumed(tx: Tx, scope: Scope, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('webhook_endpoints as e')
    .set({ suspended_at: null, suspended_by: null, failing_since: null })
    .where('e.id', '=', id)
    .where(isOf(scope))
    .execute();
  await tx
    .updateTable('webhook_deliveries')
    .set({ next_at: now })
    .where('endpoint_id', '=', id)
    .where('endpoint_id', 'in', idsOf(tx, scope))
    .where('state', '=', 'waiting')
    .where('next_at', '>', now)
    .execute();
}

/** Delete a locked webhook; a job deletes its log. */
export async function removeWebhook(tx: Tx, scope: Scope, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoints as e').where('e.id', '=', id).where(isOf(scope)).execute();
}

/** An event of a locked webhook is due again. @returns whether it exists and was over */
export async function sendAgain(tx: Tx, scope: Scope, endpointId: string, id: string, now: Date): Promise<boolean> {
  const { rows } =
    await sql`update webhook_deliveries d set state = 'waiting', next_at = ${now}::timestamptz, attempts_before = d.attempts
    from webhook_endpoints e where d.id = ${id}::uuid and d.state <> 'waiting' and d.endpoint_id = ${endpointId}::uuid and e.id = d.endpoint_id
      and ${webhooksOf(scope)} returning 1`.execute(tx);
  return rows.length > 0;
}

/** Record a test of a locked webhook with its outcome. */
export async function insertTest(
  tx: Tx,
  scope: Scope,
  { id, endpoint, data, attempt }: { id: string; endpoint: LockedEndpoint; data: Record<string, unknown>; attempt: Attempt },
  now: Date,
): Promise<void> {
  await sql`insert into webhook_deliveries
      (id, endpoint_id, organization_id, type, happened_at, data, state, attempts, tries)
    select ${id}::uuid, e.id, e.organization_id, 'webhook.test', ${now}::timestamptz, ${JSON.stringify(data)}::jsonb,
      ${attempt.error === '' ? 'delivered' : 'failed'}, 1, ${JSON.stringify([attempt])}::jsonb
    from webhook_endpoints e where e.id = ${endpoint.id}::uuid and ${webhooksOf(scope)}`.execute(tx);
}

/** Delete the webhooks of an organization that is being deleted: nothing more is sent. */
export async function removeWebhooksOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('organization_id', '=', organizationId).execute();
}

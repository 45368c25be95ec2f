import type { webhooks } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/index.ts';
import { isWithin } from '../../platform/resources/resource.ts';
import type { Attempt } from './retry.ts';

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
    .where('account_id', 'is', null)
    .where('id', 'in', distinct)
    .execute();
  return rows.length === distinct.length;
}

/** Whether a webhook of the organization itself is on; undefined = there is none. */
export async function isWebhookOn(
  queries: Queries,
  { organizationId }: OrganizationScope,
  id: string,
): Promise<boolean | undefined> {
  const row = await queries
    .selectFrom('webhook_endpoints')
    .select('is_enabled')
    .where('organization_id', '=', organizationId)
    .where('account_id', 'is', null)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.is_enabled;
}

/** Those of these webhooks whose receivers open an incident with an alert and close it with its end. */
export async function listIncidentWebhooks(
  tx: Tx,
  { organizationId }: OrganizationScope,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .where('format', 'in', ['ntfy', 'pagerduty', 'opsgenie'])
    .execute();
  return rows.map(({ id }) => id);
}

/** Everything that waits for a locked webhook is due. */
export async function makeDue(tx: Tx, scope: Scope, id: string, now: Date): Promise<void> {
  await sql`update webhook_deliveries d set next_at = ${now}::timestamptz from webhook_endpoints e
    where d.endpoint_id = ${id}::uuid and d.state = 'waiting' and d.next_at > ${now}::timestamptz and e.id = d.endpoint_id
      and ${isWithin(scope)}`.execute(tx);
}

/** Which events wait for a locked webhook. */
export async function findWaitingTypes(tx: Tx, scope: Scope, id: string): Promise<webhooks.WebhookEventType[]> {
  const { rows } = await sql<{ type: webhooks.WebhookEventType }>`select distinct d.type from webhook_deliveries d
    join webhook_endpoints e on e.id = d.endpoint_id
    where d.endpoint_id = ${id}::uuid and d.state = 'waiting' and ${isWithin(scope)}`.execute(tx);
  return rows.map(({ type }) => type);
}

/** An event of a locked webhook is due again. @returns whether it exists and was over */
export async function sendAgain(tx: Tx, scope: Scope, endpointId: string, id: string, now: Date): Promise<boolean> {
  const { rows } =
    await sql`update webhook_deliveries d set state = 'waiting', next_at = ${now}::timestamptz, attempts_before = d.attempts
    from webhook_endpoints e where d.id = ${id}::uuid and d.state <> 'waiting' and d.endpoint_id = ${endpointId}::uuid and e.id = d.endpoint_id
      and ${isWithin(scope)} returning 1`.execute(tx);
  return rows.length > 0;
}

/** Record a test of a locked webhook with its outcome. */
export async function insertTest(
  tx: Tx,
  scope: Scope,
  { id, endpointId, data, attempt }: { id: string; endpointId: string; data: Record<string, unknown>; attempt: Attempt },
  now: Date,
): Promise<void> {
  await sql`insert into webhook_deliveries
      (id, endpoint_id, organization_id, type, happened_at, data, state, attempts, tries)
    select ${id}::uuid, e.id, e.organization_id, 'webhook.test', ${now}::timestamptz, ${JSON.stringify(data)}::jsonb,
      ${attempt.error === '' ? 'delivered' : 'failed'}, 1, ${JSON.stringify([attempt])}::jsonb
    from webhook_endpoints e where e.id = ${endpointId}::uuid and ${isWithin(scope)}`.execute(tx);
}

/** Delete the webhooks of an organization that is being deleted: nothing more is sent. */
export async function removeWebhooksOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('organization_id', '=', organizationId).execute();
}

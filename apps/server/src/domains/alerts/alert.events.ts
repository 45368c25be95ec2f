import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { deliverEvents, isWebhookOn, listIncidentWebhooks } from '../webhooks/index.ts';
import {
  acknowledgedOf,
  eventOf,
  firedOf,
  stormOf,
  escalatedOf,
  type Named,
  type ChannelMessage,
  summaryOf,
  withAcknowledger,
} from './alert-event-data.ts';
import { listReported, listStorm, type ReportedAlert } from './alert-messages.job.queries.ts';
import { byOrganization, type ChangedAlert } from './alerts.job.queries.ts';

/** Record alerts that fired or were resolved for the webhooks that are subscribed to them (HKS-01). */
export async function deliverChanged(
  tx: Tx,
  type: 'alert.fired' | 'alert.resolved',
  changed: readonly ChangedAlert[],
  now: Date,
): Promise<void> {
  const alertsById = new Map(changed.map((alert) => [alert.id, alert]));
  for (const [scope, ids] of byOrganization(changed))
    await deliverEvents(
      tx,
      scope,
      ids.map((id) => eventOf(type, alertsById.get(id)!, summaryOf(alertsById.get(id)!), now)),
    );
}

/** The same for alerts that a person acknowledged. */
export async function deliverAcknowledged(
  tx: Tx,
  scope: OrganizationScope,
  acknowledged: readonly Named[],
  by: string,
  now: Date,
): Promise<void> {
  const events = acknowledged.map((alert) => withAcknowledger(eventOf('alert.acknowledged', alert, summaryOf(alert), now), by));
  await deliverEvents(tx, scope, events);
}

/**
 * Inform the webhooks that a rule names, and browsers: of each alert, or of a storm, and of its end, in one message with counts (ALR-05,
 * ALR-06). A webhook that is subscribed to alerts as well gets each only once.
 */
export async function deliverMessage(
  tx: Tx,
  scope: OrganizationScope,
  message: ChannelMessage,
  webhooks: readonly string[],
  now: Date,
): Promise<void> {
  if (webhooks.length === 0) return;
  const { rule, alerts: reported, isStorm, storm, escalatedAfter } = message;
  const named = reported.map((alert) => ({ ...alert, rule_name: rule.name, severity: rule.severity }));
  if (escalatedAfter !== undefined) return deliverEvents(tx, scope, escalatedOf(named, escalatedAfter, now), webhooks, 'named');
  const fired = named.map((alert) => ({ ...alert, storm_id: storm }));
  const events = isStorm
    ? [stormOf(named, message, now)]
    : message.isEnd
      ? named.map((alert) => changeOf('alert.resolved', alert, now))
      : fired.map((alert) => ({ ...firedOf(alert, now), ...(storm !== null && { orderId: storm }) }));
  // Only those named: subscribed ones got them when they fired.
  await deliverEvents(tx, scope, events, webhooks, 'named');
  if (message.isEnd) return;
  const over = fired.filter(({ state }) => state === 'resolved' && !isStorm && storm === null);
  const changes = [...acknowledgedOf(fired, message, now), ...over.map((alert) => changeOf('alert.resolved', alert, now))];
  await deliverToIncidentServices(tx, scope, changes, webhooks);
}

const changeOf = (type: 'alert.resolved' | 'alert.acknowledged', alert: Named, now: Date) =>
  eventOf(type, alert, summaryOf(alert), now);

/** Close, or acknowledge, the incidents that webhooks of this kind opened for alerts of a rule. */
async function deliverToIncidentServices(
  tx: Tx,
  scope: OrganizationScope,
  changes: readonly ReturnType<typeof eventOf>[],
  webhooks: readonly string[],
): Promise<void> {
  if (changes.length === 0) return;
  const incidents = await listIncidentWebhooks(tx, scope, webhooks);
  if (incidents.length > 0) await deliverEvents(tx, scope, changes, incidents, 'named');
}

/**
 * The same for alerts that are over or acknowledged now. Of those that fired together the end of all is one message; their incident is
 * acknowledged when all that are not over are.
 */
export async function deliverToIncidents(
  tx: Tx,
  type: 'alert.resolved' | 'alert.acknowledged',
  changed: readonly (Named & Pick<ChangedAlert, 'organization_id' | 'main_account_id' | 'storm_id'>)[],
  now: Date,
  by: string | null = null,
): Promise<void> {
  const alone = changed.filter(({ storm_id: storm }) => storm === null);
  const byId = new Map(alone.map((alert) => [alert.id, alert]));
  for (const [scope, ids] of byOrganization(alone))
    for (const { webhooks, reported } of await listReported(tx, scope, ids)) {
      const changes = reported.map((id) => withAcknowledger(changeOf(type, byId.get(id)!, now), by));
      await deliverToIncidentServices(tx, scope, changes, webhooks);
    }
  await deliverAcknowledgedStorms(tx, changed, now, by);
}

/** Acknowledge the incidents of storms of which these were the last alerts that no one had acknowledged. */
async function deliverAcknowledgedStorms(
  tx: Tx,
  changed: readonly (Named & Pick<ChangedAlert, 'organization_id' | 'main_account_id' | 'storm_id'>)[],
  now: Date,
  by: string | null,
): Promise<void> {
  for (const [storm, own] of Map.groupBy(changed, (alert) => alert.storm_id)) {
    if (storm === null) continue;
    const { id, rule_name, severity } = own[0]!;
    const [[scope]] = byOrganization(own) as [[OrganizationScope, string[]]];
    const members = (await listStorm(tx, scope.organizationId, storm)).map((alert) => ({ ...alert, rule_name, severity }));
    const changes = acknowledgedOf(members, { isStorm: true, storm }, now).map((event) =>
      by === null ? event : withAcknowledger(event, by),
    );
    for (const { webhooks } of await listReported(tx, scope, [id])) await deliverToIncidentServices(tx, scope, changes, webhooks);
  }
}

/** Send what a rule does with the devices of alerts to the webhook that it calls (WIN-03). @returns why it was not sent, otherwise */
export async function deliverAction(
  tx: Tx,
  scope: OrganizationScope,
  rule: ChannelMessage['rule'],
  taken: readonly (Pick<ReportedAlert, 'device_id' | 'kind' | 'value' | 'reading' | 'geofence'> & {
    readonly alert_id: string;
  })[],
  webhook: string,
  now: Date,
): Promise<'started' | 'no_webhook' | 'webhook_off'> {
  const isOn = await isWebhookOn(tx, scope, webhook);
  if (isOn !== true) return isOn === false ? 'webhook_off' : 'no_webhook';
  const events = taken.map(({ alert_id: id, ...alert }) => {
    const named = { ...alert, id, rule_name: rule.name, severity: rule.severity };
    return eventOf('alert.action', named, summaryOf(named), now);
  });
  await deliverEvents(tx, scope, events, [webhook], 'named');
  return 'started';
}

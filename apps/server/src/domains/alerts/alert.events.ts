import { type alerts, formatNumber } from '@highline/contract';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { readings } from '../router-state/index.ts';
import { deliverEvents, type WebhookEvent } from '../webhooks/index.ts';
import type { ReportedAlert } from './alert-messages.job.queries.ts';
import { byOrganization, type ChangedAlert } from './alerts.job.queries.ts';

type AlertEventType = 'alert.fired' | 'alert.resolved' | 'alert.acknowledged';
type AlertEvent = WebhookEvent<AlertEventType>;
type Named = Pick<ChangedAlert, 'id' | 'device_id' | 'rule_name' | 'severity' | 'value' | 'reading' | 'geofence'>;

/** Carriers, and groups, that a message about a storm counts. */
const COUNTED = 8;

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
  const events = acknowledged.map((alert) => {
    const { data, ...event } = eventOf('alert.acknowledged', alert, summaryOf(alert), now);
    return { ...event, data: { ...data, by } };
  });
  await deliverEvents(tx, scope, events);
}

/** Alerts of a rule that its channels are informed of together. */
export interface ChannelMessage {
  readonly rule: { readonly name: string; readonly severity: alerts.Severity };
  readonly alerts: readonly ReportedAlert[];
  readonly isStorm: boolean;
  /** Minutes after which no one had acknowledged them; undefined = they fired. */
  readonly escalatedAfter: number | undefined;
}

/**
 * Inform the webhooks that a rule names: of each alert, or of a storm in one message with counts (ALR-05, ALR-06). A webhook that is
 * subscribed to alerts as well gets each only once.
 */
export async function deliverMessage(
  tx: Tx,
  scope: OrganizationScope,
  message: ChannelMessage,
  webhooks: readonly string[],
  now: Date,
): Promise<void> {
  if (webhooks.length === 0) return;
  const { rule, alerts: reported, isStorm, escalatedAfter } = message;
  const ended = escalatedAfter === undefined ? '' : ` – not acknowledged within ${escalatedAfter} min`;
  const named = reported.map((alert) => ({ ...alert, rule_name: rule.name, severity: rule.severity }));
  const events = isStorm
    ? [stormOf(named, now)]
    : named.map((alert) => {
        const event = eventOf('alert.fired', alert, `${summaryOf(alert)}${ended}`, now);
        return ended === '' ? event : { ...event, key: `escalated ${alert.id}` };
      });
  // Only those named: subscribed ones got them when they fired.
  await deliverEvents(tx, scope, events, webhooks, 'named');
}

function eventOf(type: AlertEventType, alert: Named, summary: string, now: Date): AlertEvent {
  const { id, device_id: deviceId, rule_name: rule, severity, geofence } = alert;
  const data = { alert: id, rule, severity, summary, by: null, ...(geofence !== null && { geofence }) };
  return { type, data, deviceId, key: `${type} ${id}`, happenedAt: now };
}

/** 'Weak signal: −120 dBm', 'Left a depot: Depot North'. */
function summaryOf({ rule_name: rule, value, reading, geofence }: Named): string {
  if (geofence !== null) return `${rule}: ${geofence}`;
  const unit = readings.find(({ key }) => key === reading)?.unit;
  return value === null ? rule : `${rule}: ${formatNumber(value)}${unit === undefined ? '' : ` ${unit}`}`;
}

function stormOf(reported: readonly (Named & ReportedAlert)[], now: Date): AlertEvent {
  const { id, rule_name: rule, severity } = reported[0]!;
  const counted = (of: (alert: ReportedAlert) => string) =>
    [...Map.groupBy(reported, of)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, COUNTED)
      .map(([name, own]) => `${name}: ${own.length}`)
      .join(', ');
  const counts = {
    count: reported.length,
    carriers: counted(({ carrier }) => carrier ?? 'unknown'),
    groups: counted(({ group_name: group }) => group),
  };
  const summary = `${rule}: ${reported.length} devices`;
  return {
    type: 'alert.fired',
    data: { alert: id, rule, severity, summary, by: null, ...counts },
    key: `storm ${id}`,
    happenedAt: now,
  };
}

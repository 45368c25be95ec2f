import type { alerts } from '@highline/contract';
import type { WebhookEvent } from '../webhooks/index.ts';
import type { ReportedAlert } from './alert-messages.job.queries.ts';
import type { ChangedAlert } from './alerts.job.queries.ts';
import { endingOf } from './alert-ending.ts';
import { measuredText } from './measured-text.ts';

type AlertEventType = 'alert.fired' | 'alert.resolved' | 'alert.acknowledged' | 'alert.action';

type AlertEvent = WebhookEvent<AlertEventType>;

export type Named = Pick<
  ChangedAlert,
  'id' | 'device_id' | 'rule_name' | 'severity' | 'kind' | 'value' | 'reading' | 'geofence'
> &
  Partial<Pick<ChangedAlert, 'carrier' | 'place' | 'storm_id' | 'resolution'>>;

/** Who acknowledged an alert that is not over. */
export const acknowledgerOf = ({ state, acknowledged_by: by }: Pick<ReportedAlert, 'state' | 'acknowledged_by'>) =>
  state === 'acknowledged' ? by : null;

/** Carriers, and groups, that a message about a storm counts. */
const COUNTED = 8;

/** Alerts of a rule that its channels are informed of together. */
export interface ChannelMessage {
  readonly rule: { readonly name: string; readonly severity: alerts.Severity };
  readonly alerts: readonly ReportedAlert[];
  readonly isStorm: boolean;
  /** The storm ended, or partly. */
  readonly isEnd: boolean;
  /** The storm that they belong to. */
  readonly storm: string | null;
  /** Others of the storm were reported before, and may not be acknowledged. */
  readonly goesOn?: boolean;
  /** Minutes after which no one had acknowledged them; undefined = they fired. */
  readonly escalatedAfter: number | undefined;
}

/** Of an alert that fired; its message may have waited until it was acknowledged or over. */
export function firedOf(alert: Named & ReportedAlert, now: Date): AlertEvent {
  const event = withAcknowledger(eventOf('alert.fired', alert, summaryOf(alert), now), acknowledgerOf(alert));
  const { since, resolved_at: at, resolution } = alert;
  if (at === null || resolution === null) return event;
  const minutes = Math.max(1, Math.round((at.getTime() - since.getTime()) / 60_000));
  return { ...event, data: { ...event.data, resolution, minutes } };
}

/** Of an alert, or of all that fired together and are not over, that were acknowledged before the message about them. */
export function acknowledgedOf(
  named: readonly (Named & ReportedAlert)[],
  { isStorm, storm, goesOn = false }: Pick<ChannelMessage, 'isStorm' | 'storm' | 'goesOn'>,
  now: Date,
): AlertEvent[] {
  const type = 'alert.acknowledged';
  if (!isStorm)
    return named.flatMap((alert) => {
      const by = acknowledgerOf(alert);
      // Of one that belongs to a storm the incident is that of the storm, which goes on.
      return by === null || storm !== null ? [] : [withAcknowledger(eventOf(type, alert, summaryOf(alert), now), by)];
    });
  const people = named.filter(({ state }) => state !== 'resolved').map(acknowledgerOf);
  const [by] = people;
  if (!by || people.includes(null) || goesOn) return [];
  // With alerts that follow it is acknowledged again.
  const newest = named.reduce((latest, { id }) => (id > latest ? id : latest), '');
  const key = `storm acknowledged ${storm} ${newest}`;
  return [{ ...withAcknowledger(stormOf(named, { isEnd: false, storm }, now), by), type, key }];
}

/** An event that says who acknowledged its alert. */
export function withAcknowledger(event: AlertEvent, by: string | null): AlertEvent {
  return { ...event, data: { ...event.data, by } };
}

/** Of alerts that no one acknowledged: one event for each, and one for all that fired together. */
export function escalatedOf(named: readonly (Named & ReportedAlert)[], minutes: number, now: Date): AlertEvent[] {
  const suffix = ` – not acknowledged within ${minutes} min`;
  return [...Map.groupBy(named, ({ storm_id: storm }) => storm)].flatMap(([storm, own]) => {
    if (storm === null)
      return own.map((alert) => ({
        ...eventOf('alert.fired', alert, `${summaryOf(alert)}${suffix}`, now),
        key: `escalated ${alert.id}`,
      }));
    const { data, ...event } = stormOf(own, { isEnd: false, storm }, now);
    return [
      {
        ...event,
        data: { ...data, summary: `${data['summary']}${suffix}` },
        key: `escalated storm ${storm} ${own[0]!.id}`,
      },
    ];
  });
}

export function eventOf(type: AlertEventType, alert: Named, summary: string, now: Date): AlertEvent {
  const {
    id,
    device_id: deviceId,
    rule_name: rule,
    severity,
    geofence,
    carrier = null,
    place = null,
    storm_id: storm = null,
    resolution = null,
  } = alert;
  const data = {
    alert: id,
    rule,
    severity,
    summary,
    by: null,
    ...(geofence !== null && { geofence }),
    ...(carrier !== null && { carrier }),
    ...(place !== null && { place }),
    ...(storm !== null && { storm }),
    ...(type === 'alert.resolved' && resolution !== null && { resolution }),
  };
  return { type, data, deviceId, key: `${type} ${id}`, follows: `alert.fired ${id}`, happenedAt: now };
}

/** 'Weak signal: −120 dBm', 'Left a depot: Depot North'. */
export function summaryOf(alert: Pick<Named, 'rule_name' | 'kind' | 'value' | 'reading' | 'geofence'>): string {
  // A webhook has texts in English.
  const what = alert.geofence ?? measuredText('en-US', alert);
  return what === '' ? alert.rule_name : `${alert.rule_name}: ${what}`;
}

export function stormOf(
  reported: readonly (Named & ReportedAlert)[],
  { isEnd, storm }: Pick<ChannelMessage, 'isEnd' | 'storm'>,
  now: Date,
): AlertEvent {
  const { id, rule_name: rule, severity } = reported[0]!;
  const { open, changed, deleted, unwatched, outcome } = endingOf(reported);
  const counted = (of: (alert: ReportedAlert) => string) =>
    [...Map.groupBy(reported, of)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, COUNTED)
      .map(([name, own]) => `${name}: ${own.length}`)
      .join(', ');
  const acknowledged = isEnd ? 0 : reported.filter((alert) => acknowledgerOf(alert) !== null).length;
  const counts = {
    count: reported.length,
    carriers: counted(({ carrier }) => carrier ?? 'unknown'),
    groups: counted(({ group_name: group }) => group),
    ...(reported.some(({ place }) => place !== null) && { places: counted(({ place }) => place ?? 'elsewhere') }),
    ...(storm !== null && { storm }),
    ...(acknowledged > 0 && { acknowledged }),
    ...(isEnd && { resolution: outcome }),
    ...(isEnd && open > 0 && { open }),
    ...(isEnd && changed + deleted + unwatched > 0 && { unrecovered: changed + deleted + unwatched }),
  };
  const parts = [
    `${rule}: ${reported.length} devices`,
    ...(acknowledged > 0 ? [`${acknowledged} acknowledged`] : []),
    ...(isEnd && open > 0 ? [`${open} still open`] : []),
    ...(isEnd && changed > 0 ? [`${changed} had not recovered when the rule was changed`] : []),
    ...(isEnd && deleted > 0 ? [`${deleted} had not recovered when the rule was deleted`] : []),
    ...(isEnd && unwatched > 0 ? [`${unwatched} had not recovered when the rule stopped watching them`] : []),
  ];
  return {
    // While some go on, an incident stays open.
    type: isEnd && open === 0 ? 'alert.resolved' : 'alert.fired',
    data: { alert: id, rule, severity, summary: parts.join(', '), by: null, ...counts },
    // Alerts that follow belong to it, so it may end again.
    key: isEnd ? `storm ended ${storm ?? id} ${now.toISOString()}` : `storm ${id}`,
    // Its end, and alerts that follow, wait for it.
    orderId: storm ?? id,
    happenedAt: now,
  };
}

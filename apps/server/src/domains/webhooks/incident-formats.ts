import type { webhooks } from '@highline/contract';
import { endOf, factsOf, titleOf, type End, type SentEvent } from './formats.ts';

/** A call in the form of a receiver that has a form of its own. */
export interface IncidentCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Formats whose receivers open an incident with an alert and close it with its end. */
export type IncidentFormat = Extract<webhooks.WebhookFormat, 'ntfy' | 'pagerduty' | 'opsgenie'>;

type Severity = 'critical' | 'warning' | 'info';

/** @param url as typed @param key the integration key of the receiver; of ntfy an access token, or empty */
export function incidentCall(format: IncidentFormat, url: string, key: string, event: SentEvent): IncidentCall {
  switch (format) {
    case 'ntfy':
      return ntfyCall(url, key, event);
    case 'pagerduty':
      return pagerDutyCall(url, key, event);
    case 'opsgenie':
      return opsgenieCall(url, key, event);
  }
}

function severityOf({ data: { severity } }: SentEvent): Severity {
  return severity === 'critical' || severity === 'warning' ? severity : 'info';
}

const isOver = ({ type }: SentEvent) => type === 'alert.resolved';
const isAcknowledged = ({ type }: SentEvent) => type === 'alert.acknowledged';

/** The same for everything about one alert, or about alerts that fired together: of these an end or acknowledgement without a count is of one. */
function incidentOf(event: SentEvent): string {
  const { alert, storm, count } = event.data;
  const isOfOne = (isOver(event) || isAcknowledged(event)) && typeof count !== 'number';
  const id = isOfOne ? alert : (storm ?? alert);
  return `highline-${typeof id === 'string' ? id : event.type}`;
}

const ends: Readonly<Record<End, string>> = {
  cleared: 'Resolved',
  partly: 'Partly resolved',
  'rule-changed': 'Rule changed',
  'rule-deleted': 'Rule deleted',
  'out-of-scope': 'No longer watched',
};

/** The title, which says how an alert ended. */
function titleOfChange(event: SentEvent): string {
  const end = endOf(event);
  const change = isAcknowledged(event) ? 'Acknowledged' : end && ends[end];
  return change === undefined ? titleOf(event) : `${change}: ${titleOf(event)}`;
}

/** 'Carrier: US Cellular' for each further field. */
const linesOf = (event: SentEvent) => factsOf(event).map(({ name, value }) => `${name}: ${value}`);

const priorities: Readonly<Record<Severity, number>> = { critical: 5, warning: 4, info: 3 };
const tags: Readonly<Record<Severity, string>> = { critical: 'rotating_light', warning: 'warning', info: 'information_source' };

/** The topic of ntfy in an address: its last part. Undefined = it has none. */
export function ntfyTopicOf(url: string): string | undefined {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '');
  try {
    return last && decodeURIComponent(last);
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}

/** A message for the topic that is the last part of the address, as JSON to its server (https://docs.ntfy.sh/publish/#publish-as-json). */
function ntfyCall(url: string, token: string, event: SentEvent): IncidentCall {
  const target = new URL(url);
  const parts = target.pathname.split('/').filter((part) => part !== '');
  target.pathname = `/${parts.slice(0, -1).join('/')}`;
  const severity = severityOf(event);
  const body = {
    topic: ntfyTopicOf(url) ?? '',
    title: titleOfChange(event),
    message: linesOf(event).join('\n') || event.type,
    priority: isOver(event) || isAcknowledged(event) ? 3 : priorities[severity],
    tags: [isOver(event) ? (endOf(event) === 'cleared' ? 'white_check_mark' : tags.info) : tags[severity]],
  };
  return { url: target.href, headers: token === '' ? {} : { authorization: `Bearer ${token}` }, body: JSON.stringify(body) };
}

const pagerDutyActions: Readonly<Record<string, string>> = { 'alert.resolved': 'resolve', 'alert.acknowledged': 'acknowledge' };

/** An event of the Events API v2 (https://developer.pagerduty.com/docs/events-api-v2/trigger-events/). */
function pagerDutyCall(url: string, key: string, event: SentEvent): IncidentCall {
  const action = pagerDutyActions[event.type] ?? 'trigger';
  const body = {
    routing_key: key,
    event_action: action,
    dedup_key: incidentOf(event),
    ...(action === 'trigger' && {
      client: 'Highline',
      payload: {
        summary: titleOf(event),
        source: sourceOf(event),
        severity: severityOf(event),
        timestamp: event.happenedAt.toISOString(),
        class: event.type,
        custom_details: Object.fromEntries(factsOf(event).map(({ name, value }) => [name, value])),
      },
    }),
  };
  return { url, headers: {}, body: JSON.stringify(body) };
}

/** The serial number; of alerts that fired together, the rule. */
function sourceOf({ data }: SentEvent): string {
  const serial = (data['device'] as { serial?: unknown } | null | undefined)?.serial ?? data['rule'];
  return typeof serial === 'string' ? serial : 'Highline';
}

const LONGEST_MESSAGE = 130;
const opsgeniePriorities: Readonly<Record<Severity, string>> = { critical: 'P1', warning: 'P3', info: 'P5' };

/** A call of the Alert API (https://docs.opsgenie.com/docs/alert-api); the address is that of creating alerts. */
function opsgenieCall(url: string, key: string, event: SentEvent): IncidentCall {
  const headers = { authorization: `GenieKey ${key}` };
  const alias = incidentOf(event);
  if (isOver(event) || isAcknowledged(event)) {
    const target = new URL(url);
    target.pathname = `${target.pathname.replace(/\/$/u, '')}/${alias}/${isOver(event) ? 'close' : 'acknowledge'}`;
    target.searchParams.set('identifierType', 'alias');
    return { url: target.href, headers, body: JSON.stringify({ source: 'Highline', note: titleOfChange(event) }) };
  }
  const body = {
    message: Array.from(titleOf(event)).slice(0, LONGEST_MESSAGE).join(''),
    alias,
    description: linesOf(event).join('\n'),
    entity: sourceOf(event),
    source: 'Highline',
    priority: opsgeniePriorities[severityOf(event)],
    details: Object.fromEntries(factsOf(event).map(({ name, value }) => [name, value])),
  };
  return { url, headers, body: JSON.stringify(body) };
}

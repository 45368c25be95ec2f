import { webhooks } from '@highline/contract';

/** An event as it is sent. */
export interface SentEvent {
  readonly type: string;
  readonly happenedAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of a call in a format that is signed. The same event has the same body at every attempt. */
export function bodyOf(format: SignedFormat, event: SentEvent): string {
  if (format === 'slack') return JSON.stringify(slackMessage(event));
  if (format === 'teams') return JSON.stringify(teamsMessage(event));
  return JSON.stringify({ type: event.type, timestamp: event.happenedAt.toISOString(), data: event.data });
}

/** Formats of programs and channels; the others are incident services and browsers. */
export type SignedFormat = Extract<webhooks.WebhookFormat, 'standard' | 'slack' | 'teams'>;

export interface Fact {
  readonly name: string;
  readonly value: string;
}

const LONGEST_TITLE = 150;
const LONGEST_VALUE = 300;
const MOST_FACTS = 10;

/** How the alerts of an event ended; `partly` = only some recovered. */
export type End = 'cleared' | 'partly' | 'rule-changed' | 'rule-deleted' | 'out-of-scope';

/** What ended the alerts of an event: one that was ended because its rule or its device changed has not recovered. Undefined = they go on. */
export function endOf({ type, data }: SentEvent): End | undefined {
  if (data['resolution'] === 'partly') return 'partly';
  return type === 'alert.resolved' ? endBy(data['resolution']) : undefined;
}

/** @param resolution undefined in events of earlier versions */
export function endBy(resolution: unknown): Exclude<End, 'partly'> {
  if (resolution === undefined || resolution === 'cleared') return 'cleared';
  return resolution === 'rule-changed' || resolution === 'rule-deleted' ? resolution : 'out-of-scope';
}

const ends: Readonly<Record<Exclude<End, 'partly'>, string>> = {
  cleared: 'over',
  'rule-changed': 'rule changed',
  'rule-deleted': 'rule deleted',
  'out-of-scope': 'no longer watched',
};

/** The first line: what happened, to which device; and that it is acknowledged or over, if it was before this could be sent. */
export function titleOf({ type, data }: SentEvent): string {
  const summary = (webhooks.webhookEvents as Readonly<Record<string, { summary: string }>>)[type]?.summary ?? type;
  const first = textAt(data, 'summary') ?? textAt(data, 'message') ?? textAt(data, 'action') ?? summary;
  const { minutes, resolution } = data;
  const by = type === 'alert.fired' ? textAt(data, 'by') : undefined;
  const change = by === undefined ? '' : ` – acknowledged by ${by}`;
  const said = `${first}${typeof minutes === 'number' ? ` – ${ends[endBy(resolution)]} after ${minutes} min` : change}`;
  const device = deviceOf(data);
  return cut(device === undefined ? said : `${device}: ${said}`, LONGEST_TITLE);
}

function deviceOf({ device }: SentEvent['data']): string | undefined {
  if (typeof device !== 'object' || device === null) return undefined;
  const { serial, vehicle } = device as { serial?: unknown; vehicle?: unknown };
  return typeof vehicle === 'string' && vehicle !== '' ? `${vehicle} (${String(serial)})` : String(serial);
}

/** Names of fields that a title has, or that mean nothing to a reader. */
const unlisted = new Set([
  'organization',
  'device',
  'summary',
  'message',
  'action',
  'detail',
  'rollout',
  'alert',
  'storm',
  'actor',
  'subject',
  'number',
  'minutes',
]);

/** The fields that a reader of a message needs, besides its title. */
export function factsOf({ data }: SentEvent): Fact[] {
  const { email } = (data['actor'] ?? {}) as { email?: unknown };
  const fields = Object.entries(data).flatMap(([name, value]) => {
    const isShown = !unlisted.has(name) && (typeof value === 'string' || typeof value === 'number') && value !== '';
    return isShown ? [{ name, value: cut(String(value), LONGEST_VALUE) }] : [];
  });
  return [...fields, ...(typeof email === 'string' ? [{ name: 'by', value: email }] : [])].slice(0, MOST_FACTS);
}

/** A message of a Slack incoming webhook: blocks, and a text for notifications. */
function slackMessage(event: SentEvent): object {
  const title = escapeSlack(titleOf(event));
  const facts = factsOf(event).map(({ name, value }) => ({ type: 'mrkdwn', text: `*${name}*\n${escapeSlack(value)}` }));
  const time = Math.floor(event.happenedAt.getTime() / 1_000);
  const when = `<!date^${time}^{date_short_pretty} {time_secs}|${event.happenedAt.toISOString()}>`;
  return {
    text: title,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${title}*` } },
      ...(facts.length === 0 ? [] : [{ type: 'section', fields: facts }]),
      { type: 'context', elements: [{ type: 'mrkdwn', text: `${event.type} · ${when}` }] },
    ],
  };
}

/** Names are typed by users and sent by routers: without this they could mention a whole channel. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A message with an Adaptive Card, for a workflow or an incoming webhook of Microsoft Teams. */
function teamsMessage(event: SentEvent): object {
  const facts = factsOf(event).map(({ name, value }) => ({ title: name, value: escapeTeams(value) }));
  const when = event.happenedAt.toISOString().replace(/\.\d+Z$/u, 'Z');
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', size: 'Medium', weight: 'Bolder', wrap: true, text: escapeTeams(titleOf(event)) },
      ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts }]),
      { type: 'TextBlock', isSubtle: true, spacing: 'Small', text: `${event.type} · {{DATE(${when}, SHORT)}} {{TIME(${when})}}` },
    ],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}

/** Cards read Markdown, character references and date functions in texts; a name has none of them. */
function escapeTeams(text: string): string {
  const plain = text.replaceAll('&', '&amp;').replaceAll(/[\\*_[\]`<>#]/gu, String.raw`\$&`);
  return plain.replaceAll(/([{}])(?=\1)/gu, '$1 ');
}

function textAt(data: SentEvent['data'], name: string): string | undefined {
  const value = data[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function cut(text: string, longest: number): string {
  const characters = Array.from(text.slice(0, longest * 2 + 2).toWellFormed());
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

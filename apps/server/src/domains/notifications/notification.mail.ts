import type { Language, notifications } from '@highline/contract';
import { escapeHtml } from '../../kernel/index.ts';
import type { EventDetail } from './events.store.ts';
import { notificationMessages } from './notification.messages.ts';
import type { Row } from '../../platform/ports/tables.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'notification_events.event': notifications.NotificationEvent;
    'notification_events.detail': Record<string, unknown>;
    'notification_subscriptions.events': notifications.NotificationEvent[];
    'notification_throttles.event': notifications.NotificationEvent;
  }
}

type Event = notifications.NotificationEvent;

/** One event in a mail. */
export interface NotifiedEvent {
  readonly detail: EventDetail;
  readonly times: number;
  readonly happened_at: Date;
}

/** The recipient of a mail, with language and zone. */
export interface MailReader {
  readonly language: Language;
  /** IANA name. */
  readonly zone: string;
  readonly organization: string;
  /** The name in the greeting; empty if none is set (SVC-02). */
  readonly recipient: string;
  /** Scheme, name and port of links. */
  readonly origin: string;
}

export type MailText = Row<'mails', 'subject' | 'plain' | 'html'>;

/** The list of one mail. */
interface Listing {
  /** Follows the title in the subject. */
  readonly about: string;
  readonly lines: readonly string[];
  /** How many are not listed. */
  readonly more: number;
  /** In the console. */
  readonly place: string;
}

/** The mail of one event, or of several of one kind. @param total how many there are; `events` contains the first of them */
export function eventMail(reader: MailReader, event: Event, events: readonly NotifiedEvent[], total: number): MailText {
  const messages = notificationMessages[reader.language];
  const [first] = events;
  const about = total === 1 && first !== undefined ? namesOf(reader, first.detail) : messages.reports(total);
  const lines = events.map((one) => eventLine(reader, one));
  return compose(reader, textOf(reader, event), {
    about,
    lines,
    more: total - events.length,
    place: placeOf(event, events, total),
  });
}

/** A device whose subscription ends. */
export interface EndingDevice {
  readonly serial: string;
  readonly vehicle_number: string;
  /** ISO day. */
  readonly expires_on: string;
}

/** The mail of ending subscriptions. @param total how many there are; `ending` contains the first of them */
export function expiryMail(
  reader: MailReader,
  event: notifications.ExpiryEvent,
  ending: readonly EndingDevice[],
  total: number,
): MailText {
  const messages = notificationMessages[reader.language];
  const lines = ending.map((device) => `${nameOfDevice(device)} – ${messages.ends(dayOf(reader.language, device.expires_on))}`);
  const span = { TODAY_NOTIFY_SUBSCRIPTION: 'today', WEEK_NOTIFY_SUBSCRIPTION: 'week', MONTH_NOTIFY_SUBSCRIPTION: 'month' }[
    event
  ];
  const place = `/devices/service?expiration=${span}`;
  return compose(reader, textOf(reader, event), { about: String(total), lines, more: total - ending.length, place });
}

/** The display name of a router: its serial number, and its vehicle. */
export function nameOfDevice({ serial, vehicle_number }: Pick<EndingDevice, 'serial' | 'vehicle_number'>): string {
  return vehicle_number === '' ? serial : `${serial} (${vehicle_number})`;
}

function eventLine(reader: MailReader, { detail, times, happened_at }: NotifiedEvent): string {
  const messages = notificationMessages[reader.language];
  const notes = [...(detail.by === undefined ? [] : [messages.by(detail.by)]), ...(times > 1 ? [messages.times(times)] : [])];
  const line = `${momentOf(reader, happened_at)} – ${namesOf(reader, detail)}`;
  return notes.length === 0 ? line : `${line} – ${notes.join(messages.comma)}`;
}

function namesOf({ language }: MailReader, { what, count }: EventDetail): string {
  const { comma, more } = notificationMessages[language];
  const names = what.join(comma);
  return count > what.length ? `${names} ${more(count - what.length)}` : names;
}

/** The screen for the link: the device or group itself if there is only one. */
function placeOf(event: Event, events: readonly NotifiedEvent[], total: number): string {
  const ids = new Set(events.map(({ detail }) => detail.id));
  const [id] = ids;
  const only = ids.size === 1 && events.length === total && id !== undefined ? encodeURIComponent(id) : undefined;
  switch (event) {
    case 'FIRMWARE_UPLOADED':
      return '/groups/firmwares';
    case 'CONFIG_UPLOADED':
      return '/groups/config';
    case 'FOTA_GROUP_SETUP':
      return only === undefined ? '/groups/list' : `/groups/detail?group=${only}`;
    case 'DEVICE_ADDED':
    case 'DEVICE_DELETED':
      return '/devices/list';
    default:
      return only === undefined ? '/devices/list' : `/devices/setting?device=${only}`;
  }
}

/** The title of a mail, the sentence below it, and why its reader gets it. */
interface Wording {
  readonly title: string;
  readonly sentence: string;
  readonly footer: string;
}

function textOf({ language, organization }: MailReader, event: Event): Wording {
  const { titles, sentences, footer } = notificationMessages[language];
  return { title: titles[event], sentence: sentences[event], footer: footer(organization) };
}

/** A mail with a list, as plain text and as HTML, in the language of its reader. */
export function compose(reader: MailReader, wording: Wording, { about, lines, more, place }: Listing): MailText {
  const { language, organization, origin } = reader;
  const messages = notificationMessages[language];
  const name = inOneLine(reader.recipient).trim();
  const greeting = name === '' ? undefined : messages.greeting(name);
  const title = inOneLine(wording.title);
  const listed = [...lines, ...(more > 0 ? [messages.more(more)] : [])].map(inOneLine);
  const link = `${origin}${place}`;
  const footer = inOneLine(wording.footer);
  const html = `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">
<p style="color:#48505e">${escapeHtml(inOneLine(organization))}</p><h1 style="font-size:20px;line-height:28px">${escapeHtml(title)}</h1>
${greeting === undefined ? '' : `<p>${escapeHtml(greeting)}</p>`}<p>${escapeHtml(inOneLine(wording.sentence))}</p><ul>${listed.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1f5fd6;color:#fff;text-decoration:none">${messages.button}</a></p>
<p style="color:#48505e">${escapeHtml(footer)}</p><p>Highline</p></body></html>\n`;
  const plain = `${inOneLine(organization)}\n\n${title}\n\n${greeting === undefined ? '' : `${greeting}\n\n`}${inOneLine(wording.sentence)}\n\n${listed.map((line) => `- ${line}`).join('\n')}\n\n${link}\n\n${footer}\n\nHighline\n`;
  return { subject: inOneLine(`${title}${messages.colon}${about}`).slice(0, LONGEST_SUBJECT).toWellFormed(), plain, html };
}

const LONGEST_SUBJECT = 200;

/** Names are typed by users: none may begin a new line, or change the direction of the surrounding text. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '');
}

/** A moment in the language and zone of a reader. */
export function momentOf({ language, zone }: MailReader, at: Date): string {
  return new Intl.DateTimeFormat(language, {
    timeZone: zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(at);
}

/** A day has no time zone and is never shifted. */
function dayOf(language: Language, day: string): string {
  return new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(`${day}T00:00:00Z`));
}

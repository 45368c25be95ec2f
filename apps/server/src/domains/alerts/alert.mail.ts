import type { alerts, Language, places } from '@highline/contract';
import { compose, momentOf, type MailReader, type MailText } from '../notifications/index.ts';
import { placeText } from '../places/index.ts';
import { measuredText } from './measured-text.ts';
import type { ReportedAlert } from './alert-messages.job.queries.ts';

/** Devices that a mail lists. */
const LISTED = 20;
/** Carriers, and groups, that a mail counts. */
const COUNTED = 8;

interface Texts {
  readonly title: (rule: string, severity: alerts.Severity) => string;
  readonly fired: string;
  readonly escalated: (minutes: number) => string;
  readonly storm: (count: string) => string;
  readonly count: (count: number) => string;
  readonly carrier: (name: string, count: string) => string;
  readonly group: (name: string, count: string) => string;
  readonly place: (name: string, count: string) => string;
  readonly outside: string;
  readonly inside: (geofence: string) => string;
  readonly at: (coordinates: string) => string;
  readonly over: (rule: string, severity: alerts.Severity) => string;
  readonly ended: string;
  readonly after: (span: string) => string;
  readonly allOver: (count: string, span: string) => string;
  readonly partlyOver: (count: string, open: string) => string;
  readonly stillOpen: string;
  readonly span: (hours: number, minutes: number) => string;
  readonly geofence: (name: string) => string;
  readonly unknown: string;
  readonly footer: (rule: string, organization: string) => string;
}

const severities = {
  'en-US': { critical: 'Critical', warning: 'Warning', info: 'Info' },
  'zh-TW': { critical: '嚴重', warning: '警告', info: '一般' },
} as const;

const texts: Readonly<Record<Language, Texts>> = {
  'en-US': {
    title: (rule, severity) => `${severities['en-US'][severity]} alert: ${rule}`,
    fired: 'These devices meet the condition of this rule:',
    escalated: (minutes) => `No one acknowledged these alerts within ${minutes} min:`,
    storm: (count) => `${count} devices met the condition of this rule at about the same time:`,
    count: (count) => `${count.toLocaleString('en-US')} devices`,
    carrier: (name, count) => `Carrier ${name}: ${count}`,
    group: (name, count) => `Group ${name}: ${count}`,
    place: (name, count) => `Place ${name}: ${count}`,
    outside: 'outside of every geofence',
    inside: (geofence) => `in ${geofence}`,
    at: (coordinates) => `at ${coordinates}`,
    over: (rule, severity) => `Over: ${severities['en-US'][severity]} alert: ${rule}`,
    ended: 'The condition of this rule ended for these devices:',
    after: (span) => `after ${span}`,
    allOver: (count, span) => `The condition of this rule ended for all ${count} devices, after ${span}:`,
    partlyOver: (count, open) =>
      `The condition of this rule ended for some of ${count} devices. Alerts that are still open: ${open}`,
    stillOpen: 'still open',
    span: (hours, minutes) => (hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`),
    geofence: (name) => `geofence ${name}`,
    unknown: 'unknown',
    footer: (rule, organization) =>
      `You receive this email because the alert rule ${rule} of ${organization} names your address. An admin of ${organization} can change this.`,
  },
  'zh-TW': {
    title: (rule, severity) => `${severities['zh-TW'][severity]}警報：${rule}`,
    fired: '以下裝置符合此規則的條件：',
    escalated: (minutes) => `以下警報在 ${minutes} 分鐘內無人確認：`,
    storm: (count) => `約在同一時間，${count} 台裝置開始符合此規則的條件：`,
    count: (count) => `${count.toLocaleString('zh-TW')} 台裝置`,
    carrier: (name, count) => `電信業者 ${name}：${count}`,
    group: (name, count) => `群組 ${name}：${count}`,
    place: (name, count) => `位置 ${name}：${count}`,
    outside: '地理圍欄之外',
    inside: (geofence) => `位於「${geofence}」`,
    at: (coordinates) => `位於 ${coordinates}`,
    over: (rule, severity) => `已恢復正常：${severities['zh-TW'][severity]}警報：${rule}`,
    ended: '以下裝置已不再符合此規則的條件：',
    after: (span) => `歷時 ${span}`,
    allOver: (count, span) => `全部 ${count} 台裝置已不再符合此規則的條件，歷時 ${span}：`,
    partlyOver: (count, open) => `${count} 台裝置中，部分已不再符合此規則的條件。尚未解除的警報：${open}`,
    stillOpen: '尚未解除',
    span: (hours, minutes) => (hours === 0 ? `${minutes} 分鐘` : `${hours} 小時 ${minutes} 分鐘`),
    geofence: (name) => `地理圍欄「${name}」`,
    unknown: '未知',
    footer: (rule, organization) =>
      `您收到此郵件，是因為「${organization}」的警報規則「${rule}」列有您的地址。「${organization}」的管理員可以變更此設定。`,
  },
};

/** What a mail is about. */
export interface AlertMessage {
  readonly rule: string;
  readonly ruleId: string;
  readonly severity: alerts.Severity;
  /** Minutes after which these are escalated; undefined = they fired. */
  readonly escalatedAfter: number | undefined;
  readonly alerts: readonly ReportedAlert[];
  /** They fired together: counted by carrier, group and place. */
  readonly isStorm: boolean;
  /** They fired together, and some or all of them are over. */
  readonly isEnd?: boolean;
  /** Descriptions of where the vehicles were, by alert; one without has its coordinates. */
  readonly places?: ReadonlyMap<string, places.Place>;
}

/** One mail about one or many alerts of a rule, or about the end of those that fired together (ALR-05, ALR-06, SAY-06). */
export function alertMail(reader: MailReader, message: AlertMessage): MailText {
  const { rule, ruleId, severity, alerts: reported, isStorm, isEnd = false } = message;
  const t = texts[reader.language];
  const listed = listedIn(reported, isEnd).map((alert) => lineOf(reader, alert, message));
  const about = reported.length === 1 ? nameOf(reported[0]!) : t.count(reported.length);
  const title = isEnd ? t.over(rule, severity) : t.title(rule, severity);
  const wording = { title, sentence: sentenceOf(reader, message), footer: t.footer(rule, reader.organization) };
  // In any state: a mail may be read when its alerts are over.
  const place = `/alerts?rule=${encodeURIComponent(ruleId)}`;
  const lines = [...(isStorm ? countsOf(reader, reported) : []), ...listed];
  return compose(reader, wording, { about, lines, more: reported.length - listed.length, place });
}

/** The alerts that a mail lists: of an end those that go on come first, which a reader has to know first. */
export function listedIn(reported: readonly ReportedAlert[], isEnd: boolean): readonly ReportedAlert[] {
  const inOrder = isEnd ? reported.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b))) : reported;
  return inOrder.slice(0, LISTED);
}

const isOver = ({ state }: ReportedAlert) => state === 'resolved';

function sentenceOf(reader: MailReader, { escalatedAfter, alerts: reported, isStorm, isEnd = false }: AlertMessage): string {
  const t = texts[reader.language];
  const number = (count: number) => count.toLocaleString(reader.language);
  if (escalatedAfter !== undefined) return t.escalated(escalatedAfter);
  if (!isEnd) return isStorm ? t.storm(number(reported.length)) : t.fired;
  if (!isStorm) return t.ended;
  const open = reported.filter((alert) => !isOver(alert)).length;
  if (open > 0) return t.partlyOver(number(reported.length), number(open));
  const begun = Math.min(...reported.map(({ since }) => since.getTime()));
  const ended = Math.max(...reported.map(({ resolved_at: at, since }) => (at ?? since).getTime()));
  return t.allOver(number(reported.length), spanOf(reader, ended - begun));
}

/** '45 min', '2 h 5 min'; at least a minute. */
function spanOf({ language }: MailReader, ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return texts[language].span(Math.floor(minutes / 60), minutes % 60);
}

/** How many are of each carrier, group and place; places only where a vehicle was inside of a geofence. */
function countsOf({ language }: MailReader, reported: readonly ReportedAlert[]): string[] {
  const t = texts[language];
  const counted = (of: (alert: ReportedAlert) => string, line: Texts['carrier']) =>
    [...Map.groupBy(reported, of)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, COUNTED)
      .map(([name, own]) => line(name, own.length.toLocaleString(language)));
  return [
    ...counted(({ carrier }) => carrier ?? t.unknown, t.carrier),
    ...counted(({ group_name: group }) => group, t.group),
    ...(reported.some(({ place }) => place !== null) ? counted(({ place }) => place ?? t.outside, t.place) : []),
  ];
}

/** The vehicle, and its serial number: people know the former. */
function nameOf({ serial, vehicle_number: vehicle }: ReportedAlert): string {
  return vehicle === '' ? serial : `${vehicle} (${serial})`;
}

function lineOf(reader: MailReader, alert: ReportedAlert, { isEnd = false, places }: AlertMessage): string {
  const t = texts[reader.language];
  const moment = momentOf(reader, isEnd && alert.resolved_at !== null ? alert.resolved_at : alert.since);
  const parts = [
    moment,
    nameOf(alert),
    isEnd && !isOver(alert) ? t.stillOpen : '',
    isEnd && alert.resolved_at !== null ? t.after(spanOf(reader, alert.resolved_at.getTime() - alert.since.getTime())) : '',
    detailOf(reader.language, alert),
    placeOf(reader, alert, places?.get(alert.id)),
  ];
  return parts.filter((part) => part !== '').join(' – ');
}

/** Where the vehicle was when its alert fired. */
function placeOf(
  { language }: MailReader,
  { place, latitude, longitude }: ReportedAlert,
  described: places.Place | undefined,
): string {
  const t = texts[language];
  const text = described === undefined ? '' : placeText(place === null ? described : { ...described, near: null }, language);
  if (place !== null) return [t.inside(place), text].filter((part) => part !== '').join(', ');
  if (text !== '') return text;
  return latitude === null || longitude === null ? '' : t.at(`${latitude.toFixed(4)}, ${longitude.toFixed(4)}`);
}

/** The geofence or the value that an alert is about. */
function detailOf(language: Language, { value, reading, geofence }: ReportedAlert): string {
  if (geofence !== null) return texts[language].geofence(geofence);
  return value === null ? '' : measuredText(language, value, reading);
}

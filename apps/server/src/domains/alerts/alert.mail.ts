import type { alerts, Language, places } from '@highline/contract';
import { compose, momentOf, type MailReader, type MailText } from '../notifications/index.ts';
import { placeText } from '../places/index.ts';
import { acknowledgerOf } from './alert-event-data.ts';
import { endingOf } from './alert-ending.ts';
import { texts, type MailReason, type Texts } from './alert-mail-texts.ts';
import { measuredText } from './measured-text.ts';
import type { ReportedAlert } from './alert-messages.job.queries.ts';

/** Devices that a mail lists. */
const LISTED = 20;
/** Carriers, and groups, that a mail counts. */
const COUNTED = 8;

/** What a mail is about. */
export interface AlertMessage {
  readonly rule: string;
  readonly ruleId: string;
  readonly severity: alerts.Severity;
  /** Why its reader gets it. */
  readonly reason: MailReason;
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
  const { rule, ruleId, severity, reason, alerts: reported, isStorm, isEnd = false } = message;
  const t = texts[reader.language];
  const listed = listedIn(reported, isEnd).map((alert) => lineOf(reader, alert, message));
  const about = reported.length === 1 ? nameOf(reported[0]!) : t.count(reported.length);
  const title = isEnd ? t.end(endingOf(reported).outcome, rule, severity) : t.title(rule, severity);
  const footer = t.footers[reason](rule, reader.organization, `${reader.origin}/alerts/people`);
  const wording = { title, sentence: sentenceOf(reader, message), footer };
  // In any state: a mail may be read when its alerts are over.
  const place = `/alerts?rule=${encodeURIComponent(ruleId)}`;
  const lines = [...(isStorm ? countsOf(reader, reported) : []), ...listed];
  return compose(reader, wording, { about, lines, more: reported.length - listed.length, place });
}

/** The alerts that a mail lists: of an end those that go on come first, then those that have not recovered, which a reader has to know first. */
export function listedIn(reported: readonly ReportedAlert[], isEnd: boolean): readonly ReportedAlert[] {
  const inOrder = isEnd ? reported.toSorted((a, b) => rankOf(a) - rankOf(b)) : reported;
  return inOrder.slice(0, LISTED);
}

const isOver = ({ state }: ReportedAlert) => state === 'resolved';
const rankOf = (alert: ReportedAlert) => (!isOver(alert) ? 0 : alert.resolution === 'cleared' ? 2 : 1);

function sentenceOf(reader: MailReader, { escalatedAfter, alerts: reported, isStorm, isEnd = false }: AlertMessage): string {
  const t = texts[reader.language];
  const number = (count: number) => count.toLocaleString(reader.language);
  if (escalatedAfter !== undefined) return t.escalated(escalatedAfter);
  if (!isEnd && isStorm) return t.storm(number(reported.length));
  if (!isEnd) return reported.every(isOver) ? t.wasFired : t.fired;
  return isStorm ? sentenceOfEnd(reader, reported) : t.ended;
}

/** What became of alerts that fired together. */
function sentenceOfEnd(reader: MailReader, reported: readonly ReportedAlert[]): string {
  const t = texts[reader.language];
  const number = (count: number) => count.toLocaleString(reader.language);
  const { count, open, recovered, changed, deleted, unwatched, outcome } = endingOf(reported);
  if (outcome !== 'cleared')
    return [
      ...(recovered > 0 ? [t.recovered(number(recovered), number(count))] : []),
      ...(changed > 0 ? [t.changed(number(changed), number(count))] : []),
      ...(deleted > 0 ? [t.deleted(number(deleted), number(count))] : []),
      ...(unwatched > 0 ? [t.unwatched(number(unwatched), number(count))] : []),
      ...(open > 0 ? [t.open(number(open))] : []),
    ].join(t.space);
  const begun = Math.min(...reported.map(({ since }) => since.getTime()));
  const ended = Math.max(...reported.map(({ resolved_at: at, since }) => (at ?? since).getTime()));
  return t.allOver(number(count), spanOf(reader, ended - begun));
}

/** '45 min', '2 h 5 min'; at least a minute. */
function spanOf({ language }: MailReader, ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return texts[language].span(Math.floor(minutes / 60), minutes % 60);
}

/** How many are acknowledged, and of each carrier, group and place; places only where a vehicle was inside of a geofence. */
function countsOf({ language }: MailReader, reported: readonly ReportedAlert[]): string[] {
  const t = texts[language];
  const counted = (of: (alert: ReportedAlert) => string, line: Texts['carrier']) =>
    [...Map.groupBy(reported, of)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, COUNTED)
      .map(([name, own]) => line(name, own.length.toLocaleString(language)));
  const acknowledged = reported.filter((alert) => acknowledgerOf(alert) !== null).length;
  return [
    ...(acknowledged > 0 ? [t.acknowledged(acknowledged.toLocaleString(language))] : []),
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
    acknowledgedOf(reader.language, alert),
    overOf(reader, alert, isEnd),
    detailOf(reader.language, alert),
    placeOf(reader, alert, places?.get(alert.id)),
  ];
  return parts.filter((part) => part !== '').join(' – ');
}

/** By whom an alert was acknowledged: a message that it fired may have waited until it was. */
function acknowledgedOf(language: Language, alert: ReportedAlert): string {
  const by = acknowledgerOf(alert);
  return by === null ? '' : texts[language].acknowledgedBy(by);
}

/** How and after how long an alert ended: a message that it fired may have waited until it was over. */
function overOf(reader: MailReader, { since, resolved_at: at, resolution }: ReportedAlert, isEnd: boolean): string {
  if (at === null) return '';
  const t = texts[reader.language];
  const span = spanOf(reader, at.getTime() - since.getTime());
  return isEnd && resolution === 'cleared' ? t.after(span) : t.endedAfter(resolution ?? 'cleared', span);
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
function detailOf(language: Language, alert: ReportedAlert): string {
  return alert.geofence === null ? measuredText(language, alert) : texts[language].geofence(alert.geofence);
}

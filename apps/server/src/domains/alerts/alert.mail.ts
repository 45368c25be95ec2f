import { type alerts, formatNumber, type Language } from '@highline/contract';
import { compose, momentOf, nameOfDevice, type MailReader, type MailText } from '../notifications/index.ts';
import { readings } from '../router-state/index.ts';
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
  /** They fired together: counted by carrier and group. */
  readonly isStorm: boolean;
}

/** One mail about one or many alerts of a rule (ALR-05, ALR-06). */
export function alertMail(reader: MailReader, message: AlertMessage): MailText {
  const { rule, ruleId, severity, escalatedAfter, alerts: reported, isStorm } = message;
  const t = texts[reader.language];
  const number = (count: number) => count.toLocaleString(reader.language);
  const sentence =
    escalatedAfter !== undefined ? t.escalated(escalatedAfter) : isStorm ? t.storm(number(reported.length)) : t.fired;
  const counted = (of: (alert: ReportedAlert) => string, line: Texts['carrier']) =>
    [...Map.groupBy(reported, of)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, COUNTED)
      .map(([name, own]) => line(name, number(own.length)));
  const summary = isStorm
    ? [...counted(({ carrier }) => carrier ?? t.unknown, t.carrier), ...counted(({ group_name: group }) => group, t.group)]
    : [];
  const listed = reported.slice(0, LISTED).map((alert) => lineOf(reader, alert));
  const about = reported.length === 1 ? nameOfDevice(reported[0]!) : t.count(reported.length);
  const wording = { title: t.title(rule, severity), sentence, footer: t.footer(rule, reader.organization) };
  // In any state: a mail may be read when its alerts are over.
  const place = `/alerts?rule=${encodeURIComponent(ruleId)}`;
  return compose(reader, wording, { about, lines: [...summary, ...listed], more: reported.length - listed.length, place });
}

function lineOf(reader: MailReader, alert: ReportedAlert): string {
  const said = detailOf(reader.language, alert);
  return `${momentOf(reader, alert.since)} – ${nameOfDevice(alert)}${said === '' ? '' : ` – ${said}`}`;
}

/** The geofence or the value that an alert is about. */
function detailOf(language: Language, { value, reading, geofence }: ReportedAlert): string {
  if (geofence !== null) return texts[language].geofence(geofence);
  const unit = readings.find(({ key }) => key === reading)?.unit;
  if (value === null) return '';
  return unit === undefined ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

import type { alerts, Language } from '@highline/contract';
import type { Outcome } from './alert-ending.ts';

/** Why an address gets a mail: its rule names it, or informs the first admin; otherwise alerts of this severity are sent to it, as that of a user or not. */
export type MailReason = 'named' | 'first-admin' | 'by-severity' | 'no-user';

export interface Texts {
  readonly title: (rule: string, severity: alerts.Severity) => string;
  readonly fired: string;
  readonly wasFired: string;
  readonly escalated: (minutes: number) => string;
  readonly storm: (count: string) => string;
  readonly count: (count: number) => string;
  readonly carrier: (name: string, count: string) => string;
  readonly group: (name: string, count: string) => string;
  readonly place: (name: string, count: string) => string;
  readonly outside: string;
  readonly inside: (geofence: string) => string;
  readonly at: (coordinates: string) => string;
  readonly end: (outcome: Outcome, rule: string, severity: alerts.Severity) => string;
  readonly ended: string;
  readonly after: (span: string) => string;
  readonly allOver: (count: string, span: string) => string;
  readonly recovered: (part: string, count: string) => string;
  readonly changed: (part: string, count: string) => string;
  readonly deleted: (part: string, count: string) => string;
  readonly unwatched: (part: string, count: string) => string;
  readonly open: (count: string) => string;
  /** Between sentences. */
  readonly space: string;
  readonly stillOpen: string;
  readonly acknowledged: (count: string) => string;
  readonly acknowledgedBy: (mail: string) => string;
  readonly endedAfter: (resolution: alerts.Resolution, span: string) => string;
  readonly span: (hours: number, minutes: number) => string;
  readonly geofence: (name: string) => string;
  readonly unknown: string;
  /** @param people address of *Who is notified* */
  readonly footers: Readonly<Record<MailReason, (rule: string, organization: string, people: string) => string>>;
}

const severities = {
  'en-US': { critical: 'Critical', warning: 'Warning', info: 'Info' },
  'zh-TW': { critical: '嚴重', warning: '警告', info: '一般' },
} as const;

const outcomes: Readonly<Record<Language, Readonly<Record<Outcome, string>>>> = {
  'en-US': {
    cleared: 'Resolved',
    partly: 'Partly resolved',
    'rule-changed': 'Rule changed',
    'rule-deleted': 'Rule deleted',
    'out-of-scope': 'No longer watched',
  },
  'zh-TW': {
    cleared: '已恢復正常',
    partly: '部分已恢復正常',
    'rule-changed': '規則已變更',
    'rule-deleted': '規則已刪除',
    'out-of-scope': '不再監看',
  },
};

const resolutions: Readonly<Record<Language, Readonly<Record<alerts.Resolution, string>>>> = {
  'en-US': {
    cleared: 'over',
    transferred: 'device transferred',
    deleted: 'device deleted',
    'router-replaced': 'router replaced',
    'out-of-scope': 'no longer watched',
    'rule-changed': 'rule changed',
    'rule-deleted': 'rule deleted',
  },
  'zh-TW': {
    cleared: '已恢復正常',
    transferred: '裝置已移轉',
    deleted: '裝置已刪除',
    'router-replaced': '路由器已更換',
    'out-of-scope': '不再監看',
    'rule-changed': '規則已變更',
    'rule-deleted': '規則已刪除',
  },
};

export const texts: Readonly<Record<Language, Texts>> = {
  'en-US': {
    title: (rule, severity) => `${severities['en-US'][severity]} alert: ${rule}`,
    fired: 'These devices meet the condition of this rule:',
    wasFired: 'These devices met the condition of this rule:',
    escalated: (minutes) => `No one acknowledged these alerts within ${minutes} min:`,
    storm: (count) => `${count} devices met the condition of this rule at about the same time:`,
    count: (count) => `${count.toLocaleString('en-US')} devices`,
    carrier: (name, count) => `Carrier ${name}: ${count}`,
    group: (name, count) => `Group ${name}: ${count}`,
    place: (name, count) => `Place ${name}: ${count}`,
    outside: 'outside of every geofence',
    inside: (geofence) => `in ${geofence}`,
    at: (coordinates) => `at ${coordinates}`,
    end: (outcome, rule, severity) => `${outcomes['en-US'][outcome]}: ${severities['en-US'][severity]} alert: ${rule}`,
    ended: 'The condition of this rule ended for these devices:',
    after: (span) => `after ${span}`,
    allOver: (count, span) => `The condition of this rule ended for all ${count} devices, after ${span}:`,
    recovered: (part, count) => `The condition of this rule ended for ${part} of ${count} devices.`,
    changed: (part, count) => `This rule was changed or switched off while ${part} of ${count} devices still met its condition.`,
    deleted: (part, count) => `This rule was deleted while ${part} of ${count} devices still met its condition.`,
    unwatched: (part, count) =>
      `${part} of ${count} devices had not recovered when this rule stopped watching them (moved, transferred or deleted, or their router replaced).`,
    open: (count) => `Alerts that are still open: ${count}.`,
    space: ' ',
    stillOpen: 'still open',
    acknowledged: (count) => `Acknowledged: ${count}`,
    acknowledgedBy: (mail) => `acknowledged by ${mail}`,
    endedAfter: (resolution, span) => `${resolutions['en-US'][resolution]} after ${span}`,
    span: (hours, minutes) => (hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`),
    geofence: (name) => `geofence ${name}`,
    unknown: 'unknown',
    footers: {
      named: (rule, organization) =>
        `You receive this email because the alert rule ${rule} of ${organization} names your address. An admin of ${organization} can change this.`,
      'first-admin': (rule, organization) =>
        `You receive this email because the alert rule ${rule} of ${organization} notifies the first admin, which is you. An admin of ${organization} can change this in the rule.`,
      'by-severity': (_rule, organization, people) =>
        `You receive this email because alerts of this severity of ${organization} are sent to your address. You or an admin of ${organization} can change this at “Who is notified”: ${people}`,
      'no-user': (_rule, organization) =>
        `You receive this email because alerts of this severity of ${organization} are sent to your address. An admin of ${organization} can change this.`,
    },
  },
  'zh-TW': {
    title: (rule, severity) => `${severities['zh-TW'][severity]}警報：${rule}`,
    fired: '以下裝置符合此規則的條件：',
    wasFired: '以下裝置曾符合此規則的條件：',
    escalated: (minutes) => `以下警報在 ${minutes} 分鐘內無人確認：`,
    storm: (count) => `約在同一時間，${count} 台裝置開始符合此規則的條件：`,
    count: (count) => `${count.toLocaleString('zh-TW')} 台裝置`,
    carrier: (name, count) => `電信業者 ${name}：${count}`,
    group: (name, count) => `群組 ${name}：${count}`,
    place: (name, count) => `位置 ${name}：${count}`,
    outside: '地理圍欄之外',
    inside: (geofence) => `位於「${geofence}」`,
    at: (coordinates) => `位於 ${coordinates}`,
    end: (outcome, rule, severity) => `${outcomes['zh-TW'][outcome]}：${severities['zh-TW'][severity]}警報：${rule}`,
    ended: '以下裝置已不再符合此規則的條件：',
    after: (span) => `歷時 ${span}`,
    allOver: (count, span) => `全部 ${count} 台裝置已不再符合此規則的條件，歷時 ${span}：`,
    recovered: (part, count) => `${count} 台裝置中，有 ${part} 台已不再符合此規則的條件。`,
    changed: (part, count) => `此規則變更或停用時，${count} 台裝置中仍有 ${part} 台符合條件。`,
    deleted: (part, count) => `此規則刪除時，${count} 台裝置中仍有 ${part} 台符合條件。`,
    unwatched: (part, count) =>
      `${count} 台裝置中，有 ${part} 台在恢復正常前已不再由此規則監看（已變更群組、移轉、刪除，或更換路由器）。`,
    open: (count) => `尚未解除的警報：${count}。`,
    space: '',
    stillOpen: '尚未解除',
    acknowledged: (count) => `已確認：${count}`,
    acknowledgedBy: (mail) => `已由 ${mail} 確認`,
    endedAfter: (resolution, span) => `${resolutions['zh-TW'][resolution]}，歷時 ${span}`,
    span: (hours, minutes) => (hours === 0 ? `${minutes} 分鐘` : `${hours} 小時 ${minutes} 分鐘`),
    geofence: (name) => `地理圍欄「${name}」`,
    unknown: '未知',
    footers: {
      named: (rule, organization) =>
        `您收到此郵件，是因為「${organization}」的警報規則「${rule}」列有您的地址。「${organization}」的管理員可以變更此設定。`,
      'first-admin': (rule, organization) =>
        `您收到此郵件，是因為「${organization}」的警報規則「${rule}」會通知第一位管理員，也就是您。「${organization}」的管理員可以在此規則中變更此設定。`,
      'by-severity': (_rule, organization, people) =>
        `您收到此郵件，是因為「${organization}」此嚴重程度的警報會傳送至您的地址。您或「${organization}」的管理員可以在「通知對象」變更此設定：${people}`,
      'no-user': (_rule, organization) =>
        `您收到此郵件，是因為「${organization}」此嚴重程度的警報會傳送至您的地址。「${organization}」的管理員可以變更此設定。`,
    },
  },
};

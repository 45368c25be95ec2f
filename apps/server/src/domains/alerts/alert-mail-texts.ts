import type { alerts, Language } from '@highline/contract';

export interface Texts {
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

export const texts: Readonly<Record<Language, Texts>> = {
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

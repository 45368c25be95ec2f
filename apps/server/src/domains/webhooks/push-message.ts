import { formatNumber, type Language } from '@highline/contract';
import { endBy, endOf, type End, type SentEvent } from './formats.ts';

/** What a browser shows of an event: the service worker of the console reads this. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** In the console. */
  readonly url: string;
  /** A later message about the same replaces it. */
  readonly tag: string;
}

interface Texts {
  readonly severity: Readonly<Record<string, string>>;
  readonly end: Readonly<Record<End, (rule: string) => string>>;
  readonly after: Readonly<Record<Exclude<End, 'partly'>, (minutes: string) => string>>;
  readonly acknowledgedBy: (mail: string) => string;
  readonly acknowledgedCount: (count: string) => string;
  readonly open: (count: string) => string;
  readonly unrecovered: (count: string) => string;
  readonly acknowledged: (rule: string) => string;
  readonly firing: (severity: string, rule: string) => string;
  readonly vehicles: (count: string) => string;
  readonly test: string;
}

const texts: Readonly<Record<Language, Texts>> = {
  'en-US': {
    severity: { critical: 'Critical', warning: 'Warning', info: 'Info' },
    end: {
      cleared: (rule) => `Resolved: ${rule}`,
      partly: (rule) => `Partly resolved: ${rule}`,
      'rule-changed': (rule) => `Rule changed: ${rule}`,
      'rule-deleted': (rule) => `Rule deleted: ${rule}`,
      'out-of-scope': (rule) => `No longer watched: ${rule}`,
    },
    after: {
      cleared: (minutes) => `over after ${minutes} min`,
      'rule-changed': (minutes) => `rule changed after ${minutes} min`,
      'rule-deleted': (minutes) => `rule deleted after ${minutes} min`,
      'out-of-scope': (minutes) => `no longer watched after ${minutes} min`,
    },
    acknowledgedBy: (mail) => `acknowledged by ${mail}`,
    acknowledgedCount: (count) => `acknowledged: ${count}`,
    open: (count) => `still open: ${count}`,
    unrecovered: (count) => `not recovered: ${count}`,
    acknowledged: (rule) => `Acknowledged: ${rule}`,
    firing: (severity, rule) => `${severity}: ${rule}`,
    vehicles: (count) => `${count} vehicles at once`,
    test: 'Alerts are shown in this browser.',
  },
  'zh-TW': {
    severity: { critical: '嚴重', warning: '警告', info: '一般' },
    end: {
      cleared: (rule) => `已恢復正常：${rule}`,
      partly: (rule) => `部分已恢復正常：${rule}`,
      'rule-changed': (rule) => `規則已變更：${rule}`,
      'rule-deleted': (rule) => `規則已刪除：${rule}`,
      'out-of-scope': (rule) => `不再監看：${rule}`,
    },
    after: {
      cleared: (minutes) => `已恢復正常，歷時 ${minutes} 分鐘`,
      'rule-changed': (minutes) => `規則已變更，歷時 ${minutes} 分鐘`,
      'rule-deleted': (minutes) => `規則已刪除，歷時 ${minutes} 分鐘`,
      'out-of-scope': (minutes) => `不再監看，歷時 ${minutes} 分鐘`,
    },
    acknowledgedBy: (mail) => `已由 ${mail} 確認`,
    acknowledgedCount: (count) => `已確認：${count}`,
    open: (count) => `尚未解除：${count}`,
    unrecovered: (count) => `未恢復正常：${count}`,
    acknowledged: (rule) => `已確認：${rule}`,
    firing: (severity, rule) => `${severity}：${rule}`,
    vehicles: (count) => `${count} 輛車同時發生`,
    test: '此瀏覽器會顯示警報。',
  },
};

/** An encrypted message has at most 3,993 bytes; names are shown in a line or two. */
const LONGEST = 300;
const cut = (text: string) =>
  Array.from(text.slice(0, LONGEST * 2))
    .slice(0, LONGEST)
    .join('')
    .toWellFormed();

const textAt = (data: SentEvent['data'], name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

/** A message about an alert, or about alerts that fired together, in the language of its reader. */
export function pushMessage(language: Language, event: SentEvent): PushMessage {
  const { type, data } = event;
  const t = texts[language];
  if (type === 'webhook.test') return { title: 'Highline', body: t.test, url: '/alerts/people', tag: 'test' };
  const rule = textAt(data, 'rule');
  const severity = t.severity[textAt(data, 'severity')] ?? '';
  const end = endOf(event);
  const going = type === 'alert.acknowledged' ? t.acknowledged(rule) : t.firing(severity, rule);
  const title = end === undefined ? going : t.end[end](rule);
  const storm = textAt(data, 'storm');
  const { count, acknowledged, open, unrecovered, minutes, resolution } = data;
  const by = type === 'alert.fired' ? textAt(data, 'by') : '';
  const said = (value: unknown, of: (shown: string) => string) => (typeof value === 'number' ? of(formatNumber(value)) : '');
  const device = data['device'] as
    | { readonly id?: string; readonly serial?: string; readonly vehicle?: string }
    | null
    | undefined;
  const isMany = typeof count === 'number';
  const named = device?.vehicle === undefined || device.vehicle === '' ? (device?.serial ?? '') : device.vehicle;
  const parts = isMany
    ? [
        t.vehicles(formatNumber(count)),
        said(acknowledged, t.acknowledgedCount),
        said(open, t.open),
        said(unrecovered, t.unrecovered),
        textAt(data, 'carriers'),
        textAt(data, 'groups'),
      ]
    : [
        named,
        textAt(data, 'summary').replace(`${rule}: `, '').replace(rule, ''),
        by === '' ? '' : t.acknowledgedBy(by),
        said(minutes, t.after[endBy(resolution)]),
        textAt(data, 'carrier'),
        textAt(data, 'place'),
      ];
  const url = storm !== '' && isMany ? `/alerts?storm=${storm}` : `/alerts?device=${device?.id ?? ''}`;
  return {
    title: cut(title),
    body: cut(parts.filter((part) => part !== '').join(' · ')),
    url,
    tag: storm === '' ? textAt(data, 'alert') : storm,
  };
}

import { formatNumber, type Language } from '@highline/contract';
import type { SentEvent } from './formats.ts';

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
  readonly over: (rule: string) => string;
  readonly acknowledged: (rule: string) => string;
  readonly firing: (severity: string, rule: string) => string;
  readonly vehicles: (count: string) => string;
  readonly test: string;
}

const texts: Readonly<Record<Language, Texts>> = {
  'en-US': {
    severity: { critical: 'Critical', warning: 'Warning', info: 'Info' },
    over: (rule) => `Over: ${rule}`,
    acknowledged: (rule) => `Acknowledged: ${rule}`,
    firing: (severity, rule) => `${severity}: ${rule}`,
    vehicles: (count) => `${count} vehicles at once`,
    test: 'Alerts are shown in this browser.',
  },
  'zh-TW': {
    severity: { critical: '嚴重', warning: '警告', info: '一般' },
    over: (rule) => `已恢復正常：${rule}`,
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
export function pushMessage(language: Language, { type, data }: SentEvent): PushMessage {
  const t = texts[language];
  if (type === 'webhook.test') return { title: 'Highline', body: t.test, url: '/alerts/people', tag: 'test' };
  const rule = textAt(data, 'rule');
  const severity = t.severity[textAt(data, 'severity')] ?? '';
  const title =
    type === 'alert.resolved' ? t.over(rule) : type === 'alert.acknowledged' ? t.acknowledged(rule) : t.firing(severity, rule);
  const storm = textAt(data, 'storm');
  const { count } = data;
  const device = data['device'] as
    | { readonly id?: string; readonly serial?: string; readonly vehicle?: string }
    | null
    | undefined;
  const isMany = typeof count === 'number';
  const named = device?.vehicle === undefined || device.vehicle === '' ? (device?.serial ?? '') : device.vehicle;
  const parts = isMany
    ? [t.vehicles(formatNumber(count)), textAt(data, 'carriers'), textAt(data, 'groups')]
    : [named, textAt(data, 'summary').replace(`${rule}: `, '').replace(rule, ''), textAt(data, 'carrier'), textAt(data, 'place')];
  const url = storm !== '' && isMany ? `/alerts?storm=${storm}` : `/alerts?device=${device?.id ?? ''}&state=open`;
  return {
    title: cut(title),
    body: cut(parts.filter((part) => part !== '').join(' · ')),
    url,
    tag: storm === '' ? textAt(data, 'alert') : storm,
  };
}

import { createInstance, type TFunction } from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { devices as english } from '../devices/devices.en-US.ts';
import { devices as chinese } from '../devices/devices.zh-TW.ts';
import { valueText } from './property.ts';
import { reports as reportsEnglish } from './reports.en-US.ts';
import { reports as reportsChinese } from './reports.zh-TW.ts';

describe('the values of records on the screen', () => {
  let texts: Readonly<Record<'en-US' | 'zh-TW', TFunction>>;
  beforeAll(async () => {
    const i18n = createInstance();
    await i18n.init({
      interpolation: { escapeValue: false },
      resources: {
        'en-US': { translation: { devices: english, reports: reportsEnglish } },
        'zh-TW': { translation: { devices: chinese, reports: reportsChinese } },
      },
    });
    texts = { 'en-US': i18n.getFixedT('en-US'), 'zh-TW': i18n.getFixedT('zh-TW') };
  });

  test.each([
    ['rssi', -73.5, 'dBm', '−73.5 dBm', '−73.5 dBm'],
    ['bytes_sent', 12_246_130, 'B', '12.2 MB', '12.2 MB'],
    ['bytes_sent', 999_999, 'B', '999,999 B', '999,999 B'],
    ['mileage', 7, '', '7', '7'],
    ['online', 'true', '', 'Yes', '是'],
    ['online', false, '', 'No', '否'],
    [
      'event',
      'offline: connection-lost',
      '',
      `Offline: ${english.reason['connection-lost']}`,
      `離線：${chinese.reason['connection-lost']}`,
    ],
    ['event', 'offline: constructor', '', 'offline: constructor', 'offline: constructor'],
    ['carrier', 'online: connected', '', 'online: connected', 'online: connected'],
  ] as const)('RPT-02-partial %s %s %s: %s', (field, value, unit, inEnglish, inChinese) => {
    expect(valueText({ field, field_value: value }, unit, texts['en-US'])).toBe(inEnglish);
    expect(valueText({ field, field_value: value }, unit, texts['zh-TW'])).toBe(inChinese);
  });
});

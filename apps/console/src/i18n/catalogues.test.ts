import { describe, expect, test } from 'vitest';
import '../app/catalogues.ts';
import { accountTexts } from '../account/texts.ts';
import type { Language } from '../ui/language.ts';
import { catalogue as firstEnglish } from '../app/first-texts.en-US.ts';
import { type LazyNamespace, lazyCatalogues } from './i18n.ts';
import { catalogue as firstChinese } from '../app/first-texts.zh-TW.ts';

const namespaces = Object.keys(lazyCatalogues) as LazyNamespace[];
type Lazy = Record<LazyNamespace, object>;

/** All namespaces of one language, including lazy ones. */
async function lazy(language: Language): Promise<Lazy> {
  const pages = await Promise.all(namespaces.map((namespace) => lazyCatalogues[namespace]![language]()));
  return Object.assign({}, ...pages) as Lazy;
}

const english = { ...firstEnglish, ...(await lazy('en-US')) };
const chinese = { ...firstChinese, ...(await lazy('zh-TW')) };

/** Texts that are the same in both languages, and why. */
const same: Readonly<Record<string, string>> = {
  'shell.footer': 'a name, a version and a year',
  'devices.column.imsi': 'an abbreviation that Taiwan uses too',
  'devices.column.iccid': 'an abbreviation that Taiwan uses too',
  'devices.column.imei': 'an abbreviation that Taiwan uses too',
  'devices.column.eid': 'an abbreviation that Taiwan uses too',
  'devices.column.mtn': 'an abbreviation that Taiwan uses too',
  'devices.filter.sim': 'an abbreviation that Taiwan uses too',
  'esims.column.iccid': 'an abbreviation that Taiwan uses too',
  'esims.column.apn': 'an abbreviation that Taiwan uses too',
  'esims.column.apn2': 'an abbreviation that Taiwan uses too',
  'esims.column.eid': 'an abbreviation that Taiwan uses too',
  'esims.device.eid': 'an abbreviation that Taiwan uses too',
  'esims.card.iccid': 'an abbreviation that Taiwan uses too',
  'esims.card.apn': 'an abbreviation that Taiwan uses too',
  'esims.card.apn2': 'an abbreviation that Taiwan uses too',
  'esims.card.preloadedName': 'a name that travels',
  'overview.column.imsi': 'an abbreviation that Taiwan uses too',
  'overview.column.iccid': 'an abbreviation that Taiwan uses too',
  'palette.field.iccid': 'an abbreviation that Taiwan uses too',
  'palette.field.imei': 'an abbreviation that Taiwan uses too',
  'palette.field.mtn': 'an abbreviation that Taiwan uses too',
  'palette.field.mac': 'an abbreviation that Taiwan uses too',
  'usage.field.iccid': 'an abbreviation that Taiwan uses too',
  'alerts.megabytes': 'a unit',
  'usage.name.sims': 'an abbreviation that Taiwan uses too',
  'deviceForms.check.field.apn1': 'an abbreviation that Taiwan uses too',
  'deviceForms.check.field.apn2': 'an abbreviation that Taiwan uses too',
  'deviceForms.check.field.eid': 'an abbreviation that Taiwan uses too',
  'deviceForms.check.field.iccid': 'an abbreviation that Taiwan uses too',
  'reports.withPlainUnit': 'placeholders alone',
  'palette.matched': 'placeholders alone',
  'palette.hint': 'placeholders alone',
  'overview.column.mtn': 'an abbreviation that Taiwan uses too',
  'devicePage.tab.wifi': 'a trade mark',
  'networks.uplinks.kind.wifi': 'a trade mark',
  'rolloutOptions.window.uplink.wifi': 'a trade mark',
  'summaries.file.csv': 'a format of files',
  'summaries.file.pdf': 'a format of files',
  'summaries.file.xlsx': 'the name of a program',
  'tools.megabits': 'a unit',
  'tools.version.v4': 'the name of a protocol',
  'tools.version.v6': 'the name of a protocol',
};

function messagesOf(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return typeof value === 'string' ? [[here, value] as [string, string]] : messagesOf(value as object, here);
  });
}

const englishMessages = new Map(messagesOf(english));
const chineseMessages = new Map(messagesOf(chinese));
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/gu)].map((match) => match[1] ?? '').toSorted();

describe('languages', () => {
  test('NAV-07-partial every text is translated, except those that are the same for a reason', () => {
    const untranslated = [...chineseMessages].filter(([key, text]) => englishMessages.get(key) === text).map(([key]) => key);
    expect(new Set(untranslated)).toEqual(new Set(Object.keys(same)));
  });

  test('NAV-07-partial no key is missing in Chinese but English singulars', () => {
    const missing = [...englishMessages.keys()].filter((key) => !chineseMessages.has(key));
    expect(missing.filter((key) => !key.endsWith('_one'))).toEqual([]);
  });

  test('NAV-07-partial both languages have the same placeholders', () => {
    for (const [key, text] of chineseMessages)
      expect([key, placeholders(text)]).toEqual([key, placeholders(englishMessages.get(key) ?? '')]);
  });

  test('NAV-07-partial the sign-in page is translated too', () => {
    const { 'en-US': one, 'zh-TW': other } = accountTexts;
    for (const key of Object.keys(one) as (keyof typeof one)[]) expect([key, other[key]]).not.toEqual([key, one[key]]);
  });

  test('Chinese is written with the characters of Taiwan, not the simplified ones', () => {
    const simplified = /[设备组织网络连录户浏览击择认导页书这为时应关闭个]/u;
    for (const [key, text] of chineseMessages) expect([key, simplified.exec(text)?.[0]]).toEqual([key, undefined]);
  });

  test('Chinese characters and Latin letters or digits are separated', () => {
    const tight = /[㐀-鿿][A-Za-z0-9]|[A-Za-z0-9%][㐀-鿿]/u;
    const all = [...chineseMessages, ...Object.entries(accountTexts['zh-TW'])];
    for (const [key, text] of all) expect([key, tight.exec(text)?.[0]]).toEqual([key, undefined]);
  });

  test('texts that the requirements quote are exact', () => {
    expect(english.ui.table.noRecords).toBe('No Records.');
    expect(english.ui.table.noMatch).toBe('No matched results.');
    expect(english.ui.dialog.errorTitle).toBe('Error Message');
    expect(english.ui.unsaved.leave).toBe('There are unsaved changes. Do you want to leaving?');
    expect(english.ui.unsaved.save).toBe('There are unsaved changes. Do you want to save them before leaving?');
    expect(english.ui.done).toEqual({ deleted: 'Delete Success', edited: 'Edit success', saved: '{{msg}} Save Success' });
    expect(english.ui.form).toMatchObject({
      required: 'Please enter the {{field}}',
      format: 'Invalid {{field}} format',
      exists: '{{field}} already exists',
      condition: 'Condition Error',
    });
    expect(english.devices.remove.question).toBe('Are you sure you want to delete the selected devices?');
    expect(english.ui.dialog.permanent).toBe('This action is permanent and cannot be undone.');
  });
});

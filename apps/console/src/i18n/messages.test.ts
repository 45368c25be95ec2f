import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import '../app/catalogues.ts';
import { lazyCatalogues } from './i18n.ts';
import { createMessages, type Messages } from './messages.ts';
import { marked, setApart } from './text-edges.ts';
import { catalogue as english } from '../app/first-texts.en-US.ts';
import { catalogue as chinese } from '../app/first-texts.zh-TW.ts';

const languages = { 'en-US': english, 'zh-TW': chinese } as const;
type Language = keyof typeof languages;

async function wholeCatalogue(language: Language): Promise<Messages> {
  const lazy = await Promise.all(
    Object.entries(lazyCatalogues).map(async ([namespace, load]) => {
      const loaded = await load[language]();
      return [namespace, loaded[namespace]!] as const;
    }),
  );
  return { ...languages[language], ...Object.fromEntries(lazy) };
}

function keysOf(messages: Messages, before = ''): string[] {
  return Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${before}${key}`] : keysOf(value, `${before}${key}.`),
  );
}

/** Values for every name that a message can have a place for, of the kinds that the console inserts. */
const names = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/gu)].map(([, name]) => name!);
const kinds: readonly ((name: string) => unknown)[] = [
  (name) => name.toUpperCase(),
  () => '車輛 {{count}}',
  () => 7.5,
  () => '$1 & <b>$&</b>',
  () => undefined,
];

describe('messages', () => {
  test.each(['en-US', 'zh-TW'] as const)(
    'every message of %s reads as i18next reads it, with any value and count',
    async (language) => {
      const catalogue = await wholeCatalogue(language);
      const ours = createMessages();
      ours.add(language, catalogue);
      const theirs = createInstance();
      await theirs
        .use({ type: 'postProcessor', name: 'spacing', process: setApart })
        .use({
          type: 'formatter',
          init: () => undefined,
          add: () => undefined,
          addCached: () => undefined,
          format: marked,
        } as never)
        .init({
          lng: language,
          fallbackLng: false,
          interpolation: { escapeValue: false, alwaysFormat: true },
          postProcess: ['spacing'],
          resources: { [language]: { translation: catalogue } },
        });
      const read = theirs.getFixedT(language) as unknown as (key: string, values: object) => string;
      const keys = keysOf(catalogue);
      expect(keys.length).toBeGreaterThan(1_000);
      const raw = (key: string) =>
        key
          .split('.')
          .reduce<string | Messages | undefined>((found, level) => (found as Messages | undefined)?.[level], catalogue);
      const different: string[] = [];
      const compare = (key: string, values: Readonly<Record<string, unknown>>) => {
        const [own, their] = [ours.text(language, key, values), read(key, values)];
        if (own !== their) different.push(`${key}: ${own} instead of ${their}`);
      };
      for (const key of keys) {
        const requested = key.replace(/_(?:one|other)$/u, '');
        const forms = [key, `${requested}_one`, `${requested}_other`].map(raw).filter((form) => typeof form === 'string');
        for (const kind of kinds) {
          const values = Object.fromEntries(forms.flatMap(names).map((name) => [name, kind(name)]));
          compare(key, values);
          for (const count of [0, 1, 2, 1_000]) compare(requested, { ...values, count });
        }
      }
      expect(different).toEqual([]);
    },
  );

  test('a key that does not exist is shown itself; levels, inherited names and other languages are no messages', () => {
    const ours = createMessages();
    ours.add('en-US', { a: { b: 'text' } });
    expect(ours.text('en-US', 'a.b')).toBe('text');
    for (const key of ['a', 'a.c', 'a.b.c', 'constructor', 'a.toString', 'toString.length']) {
      expect(ours.text('en-US', key)).toBe(key);
      expect(ours.exists('en-US', key)).toBe(false);
    }
    expect(ours.text('zh-TW', 'a.b')).toBe('a.b');
    expect(ours.exists('en-US', 'a.b')).toBe(true);
  });

  test('messages that are added later join those that are there, and replace what both have', () => {
    const ours = createMessages();
    ours.add('en-US', { a: { b: '1', c: '2' } });
    ours.add('en-US', { a: { b: '3', d: '4' }, e: '5' });
    expect(['a.b', 'a.c', 'a.d', 'e'].map((key) => ours.text('en-US', key))).toEqual(['3', '2', '4', '5']);
  });
});

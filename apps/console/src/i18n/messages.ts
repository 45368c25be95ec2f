import { marked, setApart } from './text-edges.ts';

/** Messages by key, at any depth; a key names its levels with dots. */
export interface Messages {
  readonly [key: string]: string | Messages;
}

export type Values = Readonly<Record<string, unknown>>;

/** Put messages into others: what both have comes from the second. */
function merged(before: Messages, more: Messages): Messages {
  const both = Object.entries(more).map(([key, value]) => {
    const own = before[key];
    return [key, typeof value === 'object' && typeof own === 'object' ? merged(own, value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(both) };
}

function find(messages: Messages | undefined, key: string): string | undefined {
  let found: string | Messages | undefined = messages;
  for (const level of key.split('.')) {
    if (typeof found !== 'object' || !Object.hasOwn(found, level)) return undefined;
    found = found[level];
  }
  return typeof found === 'string' ? found : undefined;
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Insert values into the places of a message, `{{name}}`; a value is inserted as it is, even if it looks like a place. */
function filled(message: string, values: Values): string {
  return setApart(message.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => text(marked(values[name]))));
}

/**
 * The messages of all languages that are loaded. It reads catalogues as i18next does, whose types the calls have: levels in a key, plurals
 * by `_one` and `_other`, values in double braces. A fraction of that library is used, and it would be a sixth of the first load.
 */
export function createMessages() {
  const catalogues = new Map<string, Messages>();
  const plurals = new Map<string, Intl.PluralRules>();

  const pluralOf = (language: string, count: number): string => {
    const rules = plurals.get(language) ?? new Intl.PluralRules(language);
    plurals.set(language, rules);
    return rules.select(count);
  };

  const read = (language: string, key: string, count: unknown): string | undefined => {
    const messages = catalogues.get(language);
    const plural = typeof count === 'number' ? find(messages, `${key}_${pluralOf(language, count)}`) : undefined;
    return plural ?? find(messages, key);
  };

  return {
    /** Add messages of a language to those that are loaded. */
    add: (language: string, messages: Messages) => {
      catalogues.set(language, merged(catalogues.get(language) ?? {}, messages));
    },
    exists: (language: string, key: string) => read(language, key, undefined) !== undefined,
    /** The message with its values; the key itself where the language has none. */
    text: (language: string, key: string, values: Values = {}): string => {
      const message = read(language, key, values['count']);
      return message === undefined ? key : filled(message, values);
    },
  };
}

import type { Language } from '../../ui/language.ts';
import { chineseFields } from './field-names.ts';

const LONGEST = 120;
const CUT = 118;

/** An action as the list shows it: whole up to 120 characters, else 118 and an ellipsis (LOG-01). Never half a character. */
export function cutAction(action: string): string {
  const characters = Array.from(action);
  return characters.length > LONGEST ? `${characters.slice(0, CUT).join('')}…` : action;
}

export interface Change {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What an entry changed, and what else it says, by names as people read them. `digest` proves and says nothing to read. */
export function contentOf(
  detail: Readonly<Record<string, unknown>>,
  language: Language,
): {
  readonly changes: readonly Change[];
  readonly rest: readonly (readonly [name: string, value: unknown])[];
} {
  const { before, after, ...others } = detail;
  if (!isSide(before) || !isSide(after)) return { changes: [], rest: spread(detail, language) };
  const former = new Map(spread(before ?? {}, language));
  const next = new Map(spread(after ?? {}, language));
  const names = [...new Set([...former.keys(), ...next.keys()])];
  const changes = names
    .map((name) => ({ name, before: former.get(name), after: next.get(name) }))
    .filter((change) => comparable(change.before) !== comparable(change.after));
  return { changes, rest: spread(others, language) };
}

/** What is nothing to read is the same, whichever way it is stored. */
const comparable = (value: unknown) => JSON.stringify(isNothing(value) ? null : value);

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The values before or after a change; null where there were none. */
const isSide = (value: unknown): value is Record<string, unknown> | null => value === null || isRecord(value);

/** Each value by its name, those of a nested part by themselves: 'Added: count', 'Added: serials'. */
function spread(values: Readonly<Record<string, unknown>>, language: Language): (readonly [name: string, value: unknown])[] {
  const { colon } = joints[language];
  return Object.entries(values).flatMap(([key, value]) => {
    if (key === 'digest') return [];
    if (!isRecord(value)) return [[titleOf(key, language), value] as const];
    return Object.entries(value).flatMap(([part, inner]) =>
      part === 'digest' ? [] : [[`${titleOf(key, language)}${colon}${titleOf(part, language).toLowerCase()}`, inner] as const],
    );
  });
}

const joints = { 'en-US': { colon: ': ', comma: ', ', semicolon: '; ' }, 'zh-TW': { colon: '：', comma: '、', semicolon: '；' } };

/** `failureThreshold` and `retention_days` as 'Failure threshold' and 'Retention days', or as they are called in Chinese. */
function titleOf(name: string, language: Language): string {
  const title = name
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  if (language === 'zh-TW' && Object.hasOwn(chineseFields, title)) return chineseFields[title]!;
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/u;

export interface ValueTexts {
  readonly language: Language;
  readonly yes: string;
  readonly no: string;
  readonly none: string;
  readonly time: (epochSeconds: number) => string;
}

/** A value as people read it: times in the reader's zone, yes and no, lists with commas. */
export function textOf(value: unknown, texts: ValueTexts): string {
  const { colon, comma, semicolon } = joints[texts.language];
  if (isNothing(value)) return texts.none;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (Array.isArray(value)) return value.map((item) => textOf(item, texts)).join(comma);
  if (typeof value === 'string') return INSTANT.test(value) ? texts.time(Date.parse(value) / 1_000) : value;
  return isRecord(value)
    ? Object.entries(value)
        .map(([name, inner]) => `${titleOf(name, texts.language)}${colon}${textOf(inner, texts)}`)
        .join(semicolon)
    : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

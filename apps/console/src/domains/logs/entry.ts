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
export function contentOf(detail: Readonly<Record<string, unknown>>): {
  readonly changes: readonly Change[];
  readonly rest: readonly (readonly [name: string, value: unknown])[];
} {
  const { before, after, ...others } = detail;
  const changes =
    isRecord(before) && isRecord(after)
      ? Object.keys({ ...before, ...after }).map((name) => ({ name: titleOf(name), before: before[name], after: after[name] }))
      : [];
  const rest: Record<string, unknown> = changes.length > 0 ? others : detail;
  return { changes, rest: Object.entries(rest).flatMap(([name, value]) => spread(titleOf(name), value)) };
}

/** Values of a nested part each by itself: 'Added: count', 'Added: serials'. */
function spread(name: string, value: unknown): (readonly [string, unknown])[] {
  if (name === 'Digest') return [];
  if (!isRecord(value)) return [[name, value]];
  return Object.entries(value).flatMap(([part, inner]) =>
    part === 'digest' ? [] : [[`${name}: ${titleOf(part).toLowerCase()}`, inner] as const],
  );
}

/** `failureThreshold` and `retention_days` as 'Failure threshold' and 'Retention days'. */
function titleOf(name: string): string {
  const title = name
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/u;

export interface ValueTexts {
  readonly yes: string;
  readonly no: string;
  readonly none: string;
  readonly time: (epochSeconds: number) => string;
}

/** A value as people read it: times in the reader's zone, yes and no, lists with commas. */
export function textOf(value: unknown, texts: ValueTexts): string {
  if (value === null || value === undefined || value === '') return texts.none;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (Array.isArray(value)) return value.length === 0 ? texts.none : value.map((item) => textOf(item, texts)).join(', ');
  if (typeof value === 'string') return INSTANT.test(value) ? texts.time(Date.parse(value) / 1_000) : value;
  return isRecord(value)
    ? Object.entries(value)
        .map(([name, inner]) => `${titleOf(name)}: ${textOf(inner, texts)}`)
        .join('; ')
    : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

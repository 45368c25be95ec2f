const LONGEST = 120;
const CUT = 118;

/** An action as the list shows it: whole up to 120 characters, else 118 and an ellipsis (LOG-01). Never half a character. */
export function cutAction(action: string): string {
  const characters = Array.from(action);
  return characters.length > LONGEST ? `${characters.slice(0, CUT).join('')}…` : action;
}

/** The changes, one per line: `name: before → after` if an entry has both, else `name: value`. */
export function detailLines(detail: Readonly<Record<string, unknown>>): string[] {
  const { before, after, ...rest } = detail;
  const lines = isRecord(before) && isRecord(after) ? changes(before, after) : [];
  return [...Object.entries(rest).map(([name, value]) => `${name}: ${textOf(value)}`), ...lines];
}

function changes(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  return Object.keys({ ...before, ...after }).map((name) => `${name}: ${textOf(before[name])} → ${textOf(after[name])}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '--';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** How the numbers of a cell's style are shown. */
export type NumberKind = 'date' | 'number' | { readonly digits: number };

const builtInDates = new Set([14, 15, 16, 17, 22, ...range(27, 36), ...range(50, 58)]);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/**
 * What a number format makes of a number (ECMA-376, 18.8.30).
 * @param code the format of the workbook; undefined for one that every spreadsheet has
 */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return builtInDates.has(id) ? 'date' : 'number';
  // Of the first section, for positive numbers: literal text, colours and conditions are no placeholders.
  const placeholders = code
    .slice(0, 500)
    .replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|[_*]./gu, '')
    .split(';', 1)[0]!;
  if (/^0+$/u.test(placeholders)) return { digits: placeholders.length };
  return /[dy]|m{3}/iu.test(placeholders) && !/general/iu.test(placeholders) ? 'date' : 'number';
}

const DAY_MS = 86_400_000;
/** Day 0 of a workbook, as if 1900 had been a leap year, and of one from an old Mac. */
const EPOCH = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const;
/** Larger numbers have lost digits in a spreadsheet. */
const EXACT = 1e15;

/** A number of a sheet as text: a day as YYYY-MM-DD, leading zeros of its format, no exponent unless digits were lost. */
export function numberText(written: string, kind: NumberKind, epoch: keyof typeof EPOCH): string {
  const value = Number(written);
  if (written.trim() === '' || !Number.isFinite(value)) return written;
  if (kind === 'date') return dateText(value, epoch) ?? written;
  if (Math.abs(value) >= EXACT) return value.toExponential().toUpperCase();
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(15)));
  return typeof kind === 'object' && Number.isInteger(value) && value >= 0 ? text.padStart(kind.digits, '0') : text;
}

function dateText(days: number, epoch: keyof typeof EPOCH): string | undefined {
  const at = new Date(EPOCH[epoch] + Math.round(days * DAY_MS));
  if (days < 0 || Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999) return undefined;
  const [day, time] = at.toISOString().split('T') as [string, string];
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`;
}

export type Unit = 'ms' | 's' | 'µs' | '/s' | 'KB' | 'kB' | 'MB' | '%' | '';

/** Digits after the point. */
const DIGITS: Readonly<Record<Unit, (value: number) => number>> = {
  ms: () => 1,
  s: () => 2,
  µs: (value) => (value < 10 ? 3 : 1),
  '/s': (value) => (value < 100 ? 1 : 0),
  KB: () => 1,
  kB: () => 1,
  MB: () => 0,
  '%': () => 1,
  '': () => 4,
};

/** One figure with its ceiling on this machine, both from the same run. */
export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  /** One number, or several: p50 and p99, or what the name says. */
  readonly ours: readonly number[];
  /** The same of the ceiling; left out when there is no raw equivalent. */
  readonly raw?: readonly number[];
  /** The target, and whether it is met. */
  readonly aim?: string;
}

/** The figures of one section, as `--json` writes them. */
export interface Table {
  readonly title: string;
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
}

/** What this run has printed. */
export const tables: Table[] = [];

const WIDTHS = [50, 26, 26, 14] as const;

/** Print a section with its figures, one line each. */
export function printTable(title: string, figures: readonly Figure[], notes: readonly string[] = []): void {
  tables.push({ title, figures, notes });
  console.log(`\n${title}`);
  printLine('figure', 'ours', 'ceiling', 'ratio', 'aim');
  console.log('-'.repeat(130));
  for (const { name, unit, ours, raw, aim = '' } of figures)
    printLine(
      name,
      amountOf(ours, unit),
      raw === undefined ? '' : amountOf(raw, unit),
      raw === undefined ? '' : ratios(ours, raw),
      aim,
    );
  for (const note of notes) console.log(`  ${note}`);
}

function printLine(...cells: readonly string[]): void {
  console.log(
    cells
      .map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0))
      .join(' ')
      .trimEnd(),
  );
}

function ratios(ours: readonly number[], raw: readonly number[]): string {
  return `${ours.map((value, at) => (value / raw[at]!).toFixed(2)).join(' / ')}×`;
}

/** `1.2 / 3.4 ms`, `12,345/s` */
export function amountOf(values: readonly number[], unit: Unit): string {
  const number = (value: number) => {
    const digits = DIGITS[unit](value);
    return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  };
  return `${values.map(number).join(' / ')}${unit === '' || unit === '/s' ? unit : ` ${unit}`}`;
}

/** A whole number with its thousands. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** `≤ 2×: met`, or `≤ 2×: MISSED`. */
export function assessed(aim: string, isMet: boolean): string {
  return `${aim}: ${isMet ? 'met' : 'MISSED'}`;
}

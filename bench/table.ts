/** One figure with its ceiling on this machine, both from the same run. */
export interface Figure {
  readonly name: string;
  readonly ours: string;
  /** Empty when there is no raw equivalent. */
  readonly ceiling?: string;
  readonly ratio?: string;
  /** Target of issue 2, and whether it is met. */
  readonly aim?: string;
}

const WIDTHS = { name: 50, ours: 26, ceiling: 26, ratio: 14 };

/** Print a section with its figures, one line each. */
export function printTable(title: string, figures: readonly Figure[], notes: readonly string[] = []): void {
  console.log(`\n${title}`);
  printLine({ name: 'figure', ours: 'ours', ceiling: 'ceiling', ratio: 'ratio', aim: 'aim' });
  console.log('-'.repeat(130));
  for (const figure of figures) printLine(figure);
  for (const note of notes) console.log(`  ${note}`);
}

function printLine({ name, ours, ceiling = '', ratio = '', aim = '' }: Figure): void {
  const { name: first, ours: second, ceiling: third, ratio: fourth } = WIDTHS;
  console.log(`${name.padEnd(first)} ${ours.padEnd(second)} ${ceiling.padEnd(third)} ${ratio.padEnd(fourth)} ${aim}`.trimEnd());
}

/** `1.2 / 3.4 ms`: p50 and p99. */
export function milliseconds(p50: number, p99: number): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`;
}

export function times(...ratios: readonly number[]): string {
  return `${ratios.map((ratio) => ratio.toFixed(2)).join(' / ')}×`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** `≤ 2×: met`, or `≤ 2×: MISSED`. */
export function assessed(aim: string, isMet: boolean): string {
  return `${aim}: ${isMet ? 'met' : 'MISSED'}`;
}

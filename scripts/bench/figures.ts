/** One line of the report: our figure beside the raw ceiling of the same run. */
export interface Figure {
  readonly name: string;
  readonly ours: string;
  readonly ceiling: string;
  readonly ratio: string;
  readonly aim: string;
}

const out = (line: string) => process.stdout.write(`${line}\n`);

/** Print figures as a table of fixed columns. */
export function print(title: string, figures: readonly Figure[]): void {
  const columns = ['name', 'ours', 'ceiling', 'ratio', 'aim'] as const;
  const width = columns.map((column) => Math.max(column.length, ...figures.map((figure) => figure[column].length)));
  out(`\n${title}`);
  out(columns.map((column, index) => column.padEnd(width[index]!)).join('  '));
  for (const figure of figures) out(columns.map((column, index) => figure[column].padEnd(width[index]!)).join('  '));
}

/** The value below which `share` of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const times = (ours: number, ceiling: number) => `${(ours / ceiling).toFixed(2)}×`;

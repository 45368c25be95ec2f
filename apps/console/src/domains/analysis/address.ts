import { analysis, reports } from '@highline/contract';
import type { Days } from '../reports/index.ts';

/** The fields of an Analysis query as they appear in the address. Absent = not given, or its default. */
export interface Fields extends Days {
  readonly group?: string | undefined;
  readonly device?: string | undefined;
  readonly property?: string | undefined;
  /** Default: appear (ANA-01). */
  readonly condition?: analysis.Condition | undefined;
  readonly value?: string | undefined;
  readonly window?: analysis.Window | undefined;
}

/** The address of /reports/analysis: the question in the form, and which charts of it are drawn. */
export interface AnalysisSearch extends Fields {
  /** Chart types with dots between them. */
  readonly charts?: string | undefined;
}

function text(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw !== '' ? raw : undefined;
}

function oneOf<Value extends string>(raw: unknown, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === raw);
}

/** The chart types that a text of the address names, each once. */
export function chartsOf(charts: string | undefined): readonly analysis.ChartType[] {
  const named = (charts ?? '').split('.');
  return analysis.chartTypes.filter((type) => named.includes(type));
}

/** Parse an address, which may be typed by hand or old: unknown values are dropped. */
export function parseAnalysis(raw: Readonly<Record<string, unknown>>): AnalysisSearch {
  const charts = chartsOf(text(raw['charts'])).join('.');
  const parsed: AnalysisSearch = {
    day: oneOf(raw['day'], [...reports.dayPresets, 'custom'] as const),
    from: text(raw['from']),
    until: text(raw['until']),
    group: text(raw['group']),
    device: text(raw['device']),
    property: text(raw['property']),
    condition: oneOf(raw['condition'], analysis.conditions),
    value: text(raw['value']),
    window: oneOf(raw['window'], analysis.windows),
    charts: charts === '' ? undefined : charts,
  };
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
}

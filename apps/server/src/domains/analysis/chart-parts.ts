import type { analysis } from '@highline/contract';
import { offsetAt } from '../../kernel/index.ts';
import type { Drawable } from './analysis.service.ts';
import { chartMessages, pointLabel, type ChartLanguage, type ChartTheme } from './chart.messages.ts';

export interface ChartInput {
  readonly chartType: analysis.ChartType;
  readonly mark: analysis.Mark;
  readonly theme: ChartTheme;
  readonly language: ChartLanguage;
}

export type Spec = Record<string, unknown>;

export interface Timed {
  /** Epoch milliseconds at which a clock of UTC shows what the zone's clock showed. */
  readonly t: number;
  readonly when: string;
  readonly y: number;
}

export function timesOf({ points, zone }: Drawable): Timed[] {
  return points.map(({ x, y }) => {
    const at = x as number;
    const t = at + offsetAt(zone, at);
    return { t, when: new Date(t).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/'), y };
  });
}

export interface Category {
  readonly label: string;
  readonly y: number;
}

/** Labels that occur twice are made distinct: two vehicles may have the same number. */
export function categoriesOf(responded: Drawable, language: ChartLanguage): Category[] {
  const seen = new Map<string, number>();
  return responded.points.map((point) => {
    const label = pointLabel(point, responded.property, language);
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return { label: count === 1 ? label : `${label} (${count})`, y: point.y };
  });
}

export function isCount(chartType: analysis.ChartType): boolean {
  return chartType === 'device' || chartType === 'record' || chartType === 'piechart';
}

/** The axis title of the values, with their unit. */
export function valueTitle({ property, unit }: Drawable, chartType: analysis.ChartType, language: ChartLanguage): string {
  if (isCount(chartType) || property.type !== 'number') return chartMessages[language].records;
  return unit === '' ? property.names[language] : `${property.names[language]} (${unit})`;
}

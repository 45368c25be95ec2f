import type { analysis } from '@highline/contract';
import type { CataloguedProperty, ReportLanguage } from '../reports/index.ts';

export type ChartLanguage = ReportLanguage;
export type ChartTheme = 'light' | 'dark';

/** The console's colours: five for categories, one for text and one for lines. */
export const palettes: Readonly<
  Record<ChartTheme, { readonly colours: string[]; readonly text: string; readonly line: string }>
> = {
  light: { colours: ['#1f5fd6', '#0f9f8f', '#e08a00', '#8b5cf6', '#d6467b'], text: '#48505e', line: '#e3e6eb' },
  dark: { colours: ['#6d9dff', '#3cc6b6', '#f0ab3c', '#a98bfa', '#f07fa8'], text: '#b7bfcb', line: '#262d38' },
};

interface ChartMessages {
  readonly charts: Readonly<Record<analysis.ChartType, string>>;
  readonly time: string;
  readonly device: string;
  readonly value: string;
  readonly number: string;
  readonly records: string;
  readonly share: string;
  readonly other: string;
  readonly summary: Readonly<Record<string, string>>;
}

export const chartMessages: Readonly<Record<ChartLanguage, ChartMessages>> = {
  'en-US': {
    charts: {
      device: 'Records by device',
      record: 'Records over time',
      average: 'Average over time',
      sumarty: 'Summary',
      piechart: 'Share of values',
      runChart: 'Single values',
    },
    time: 'Time',
    device: 'Device',
    value: 'Value',
    number: 'Measure',
    records: 'Records',
    share: 'Share',
    other: 'Other',
    summary: { count: 'Count', min: 'Minimum', mean: 'Mean', max: 'Maximum', true: 'Yes', false: 'No' },
  },
  'zh-TW': {
    charts: {
      device: '各裝置的紀錄數',
      record: '各時段的紀錄數',
      average: '各時段的平均值',
      sumarty: '摘要',
      piechart: '數值占比',
      runChart: '單一數值',
    },
    time: '時間',
    device: '裝置',
    value: '數值',
    number: '量度',
    records: '紀錄數',
    share: '占比',
    other: '其他',
    summary: { count: '筆數', min: '最小值', mean: '平均值', max: '最大值', true: '是', false: '否' },
  },
};

/** The label of a point that is not a time: its device, one of the four numbers of a summary, or its value. */
export function pointLabel({ x, label }: analysis.Point, { type }: CataloguedProperty, language: ChartLanguage): string {
  if (label !== undefined) return label;
  // Text from a router is never translated.
  if (x === '') return '—';
  return type === 'string' ? String(x) : (chartMessages[language].summary[String(x)] ?? String(x));
}

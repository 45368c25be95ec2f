import { analysis, devices, reports } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';
import { timeRangeOf } from '../reports/index.ts';
import type { Fields } from './address.ts';
import { equalValue } from './records.ts';

export type Chart = analysis.Chart;

/** The viewer's settings that a chart is drawn with. */
export interface Viewer {
  readonly zone: string;
  readonly theme: 'light' | 'dark';
  readonly language: Language;
  readonly temperature: analysis.TemperatureUnit;
}

/** The response of a query with its drawing, refetched every 60 s. `mark` undefined = the default of the query. */
export const chartQuery = (
  chartType: analysis.ChartType,
  input: analysis.AnalysisArguments,
  mark: analysis.Mark | undefined,
  viewer: Viewer,
) =>
  queryOptions({
    queryKey: ['analysis', 'chart', chartType, input, mark, viewer],
    queryFn: async ({ signal }) =>
      (await call(analysis.prepareChart, { params: { chartType }, body: { ...input, ...viewer, mark }, signal })).result,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    meta: { topics: [] },
  });

/** The time windows of a query (RPT-03); null while its days are invalid. */
export const windowsQuery = (fields: Fields, zone: string) => {
  const { group, device, property, day, from, until } = fields;
  const value = equalValue(fields);
  return queryOptions({
    queryKey: ['analysis', 'windows', { group, device, property, value, day, from, until }, zone],
    queryFn: async ({ signal }) => {
      const range = timeRangeOf({ day, from, until }, zone, new Date());
      if (range === undefined) return null;
      const query = { on: String(range.on), to: String(range.to), group, device, property, value };
      return (await call(reports.countRecords, { query, signal })).result;
    },
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS,
    meta: { topics: [] },
  });
};

/** The colour of each carrier, from 1, as the overview has it (SAY-11). */
export const carrierColorsQuery = queryOptions({
  queryKey: ['analysis', 'carrierColors'],
  queryFn: async ({ signal }) => {
    const { carriers } = (await call(devices.statistics, { query: {}, signal })).result;
    return new Map(carriers.map(({ carrier, color }) => [carrier, color]));
  },
  meta: { topics: ['devices'] },
});

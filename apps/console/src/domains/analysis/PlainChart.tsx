import { findChartBase } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Bars, Shares } from '../../ui/chart/Amounts.tsx';
import { gapOf, type TimePoint } from '../../ui/chart/points.ts';
import { valueScale } from '../../ui/chart/scale.ts';
import { TimeChart } from '../../ui/chart/TimeChart.tsx';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { carrierColorsQuery, type Chart } from './analysis.api.ts';
import { pointLabels } from './points.ts';

/** Seconds of each window; a month at its longest. */
const windowSeconds: Readonly<Record<string, number>> = {
  '1mo': 31 * 86_400,
  '1w': 7 * 86_400,
  '1d': 86_400,
  '3h': 10_800,
  '1h': 3_600,
  '30m': 1_800,
  '10m': 600,
  '5m': 300,
};

function OverTime({ chart, title }: { chart: Chart; title: string }): ReactNode {
  const zone = useZone();
  const points: readonly TimePoint[] = chart.points.map(({ x, y }) => ({ at: Number(x) / 1000, value: y }));
  const values = points.map(({ value }) => value);
  const width = windowSeconds[chart.window] ?? 0;
  // A line may begin anywhere, a bar or an area has a base.
  const scale = valueScale(chart.mark === 'line' ? values : [findChartBase(values) ?? 0, ...values]);
  return (
    <TimeChart
      label={title}
      points={points}
      from={points[0]!.at - width / 2}
      until={Math.max(points.at(-1)!.at + width / 2, points[0]!.at + 60)}
      scale={scale}
      tickText={formatNumber}
      pointText={({ at, value }) => `${formatNumber(Number(value.toFixed(2)))} ${chart.unit} · ${formatDateTime(at, zone)}`}
      gap={gapOf(points, width || 60)}
      mark={chart.mark === 'arc' ? 'bar' : chart.mark}
    />
  );
}

/** The response of a query, drawn without the charting library: the overview stays light (DPG-02). */
export function PlainChart({ chart, title }: { chart: Chart; title: string }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  // One carrier has one colour on every screen (SAY-11).
  const colors = useQuery({ ...carrierColorsQuery, enabled: chart.property?.id === 'carrier' }).data;
  if (typeof chart.points[0]?.x === 'number') return <OverTime chart={chart} title={title} />;
  const labelOf = pointLabels(chart, zone, t);
  // The count of a summary is none of its values.
  const drawn =
    chart.chartType === 'sumarty' && chart.property?.type === 'number'
      ? chart.points.filter(({ x }) => x !== 'count')
      : chart.points;
  const amounts = drawn.map((point) => ({ label: labelOf(point), value: point.y, color: colors?.get(String(point.x)) }));
  return chart.mark === 'arc' ? (
    <Shares amounts={amounts} other={t('analysis.other')} />
  ) : (
    <Bars amounts={amounts} label={title} />
  );
}

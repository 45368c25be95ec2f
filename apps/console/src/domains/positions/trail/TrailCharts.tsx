import { signalQuality } from '@highline/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import type { TimePoint } from '../../../ui/chart/points.ts';
import { valueScale } from '../../../ui/chart/scale.ts';
import { TimeChart } from '../../../ui/chart/TimeChart.tsx';
import { speedIn, useSpeedUnit } from '../../../ui/units.ts';
import { formatDateTime, formatNumber } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { bandsOf } from '../../../entities/devices/readings.ts';
import { minutesOf } from './trail.ts';
import type { Trail } from './trail.api.ts';

const whole = (value: number) => formatNumber(Math.round(value));

/** Speed and signal over the day; a time that is chosen in one is chosen in all, and on the map. */
export function TrailCharts({
  trail,
  at,
  onChoose,
}: {
  trail: Trail;
  /** Epoch seconds. */
  at: number | undefined;
  onChoose: (at: number) => void;
}): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const speedUnit = useSpeedUnit();
  const charts = useMemo(() => {
    const { fixes } = trail;
    const speed = minutesOf(fixes, (fix) => (fix.speed === null ? null : speedIn(speedUnit, fix.speed)));
    const signal = minutesOf(fixes, (fix) => fix.signal);
    const signalScale = valueScale(signal.flatMap(({ low, high }) => [low, high]));
    return [
      {
        name: 'speed' as const,
        points: speed,
        unit: speedUnit,
        scale: valueScale([0, ...speed.map(({ high }) => high)]),
        bands: [],
        rating: (_value: number): string => '',
      },
      {
        name: 'signal' as const,
        points: signal,
        unit: 'dBm',
        scale: signalScale,
        bands: bandsOf('rssi', signalScale),
        rating: (value: number): string => ` · ${t(`devicePage.quality.${signalQuality('rssi', value)}`)}`,
      },
    ];
  }, [trail, t, speedUnit]);
  return (
    <div className="readings">
      {charts.map(({ name, points, unit, scale, bands, rating }) => {
        const title = t('ui.withUnit', { name: t(`trail.chart.${name}`), unit });
        const pointText = (point: TimePoint) =>
          `${whole(point.value)} ${unit}${rating(point.value)} · ${formatDateTime(point.at, zone)}`;
        return (
          <section key={name} className="reading" aria-label={title}>
            <div className="reading__head">
              <h3>{title}</h3>
            </div>
            {points.length === 0 ? (
              <p className="dim">{t('trail.notReported')}</p>
            ) : (
              <TimeChart
                label={title}
                points={points}
                from={trail.from}
                until={trail.until}
                scale={scale}
                tickText={whole}
                pointText={pointText}
                gap={Infinity}
                breaks={trail.gaps}
                bands={bands}
                shownAt={at}
                onChoose={onChoose}
              />
            )}
          </section>
        );
      })}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { Panel } from '../../entities/devices/Panel.tsx';
import { MapPlaceholder } from '../../entities/map/MapPlaceholder.tsx';
import { withMessages } from '../../i18n/i18n.ts';
import { TimeChart } from '../../ui/chart/TimeChart.tsx';
import { valueScale } from '../../ui/chart/scale.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { useRunTexts } from './run-texts.ts';
import { type MeasuredSpeed, speedsQuery, type ToolDevice } from './tools.api.ts';

// The map library is large: the chart is there before it.
const loadMap = withMessages(['positions'], () => import('./SpeedMap.tsx'));
const SpeedMap = lazy(async () => ({ default: (await loadMap()).SpeedMap }));

/** The speeds that tests of a device measured: over time, and where (LIV-05). Nothing until there are two. */
export function SpeedPanel({ device }: { device: ToolDevice }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const speeds = useQuery(speedsQuery(device)).data;
  if (speeds === undefined || speeds.length < 2) return null;
  const hasPlaces = speeds.some(({ place }) => place !== null);
  return (
    <Panel id="tools-speeds" title={t('tools.speeds.title')}>
      {(['download', 'upload'] as const).map((tool) => (
        <SpeedChart key={tool} tool={tool} speeds={speeds.filter((each) => each.tool === tool)} />
      ))}
      {hasPlaces ? (
        <div className="speed-map">
          <Suspense fallback={<MapPlaceholder />}>
            <SpeedMap
              speeds={speeds}
              onChoose={(run) =>
                void navigate({
                  to: '/devices/setting',
                  search: { device: device.device, tab: 'tools', run },
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </Suspense>
        </div>
      ) : (
        <p className="dim">{t('tools.speeds.nowhere')}</p>
      )}
    </Panel>
  );
}

function SpeedChart({ tool, speeds }: Pick<MeasuredSpeed, 'tool'> & { speeds: readonly MeasuredSpeed[] }): ReactNode {
  const { t } = useTranslation();
  const { speed } = useRunTexts();
  const zone = useZone();
  const points = speeds.map(({ at, bitsPerSecond: value }) => ({ at: Math.floor(Date.parse(at) / 1_000), value })).toReversed();
  const [first, last] = [points[0]?.at, points.at(-1)?.at];
  if (first === undefined || last === undefined || points.length < 2) return null;
  const label = t(`tools.chart.${tool}`);
  return (
    <section className="reading" aria-label={label}>
      <h3>{label}</h3>
      <TimeChart
        label={label}
        points={points}
        from={first}
        // Both may have been measured in the same second.
        until={Math.max(last, first + 1)}
        scale={valueScale([0, ...points.map(({ value }) => value)])}
        tickText={speed}
        pointText={({ at, value }) => `${speed(value)} · ${formatDateTime(at, zone)}`}
        gap={Infinity}
      />
    </section>
  );
}

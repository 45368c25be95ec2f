import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../api/useErrorText.ts';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { formatDateTime } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { telemetryQuery } from './device-setting.api.ts';

const WIDTH = 560;
const HEIGHT = 96;
const SHOWN = ['rssi', 'temperature', 'voltage'] as const;
type Shown = (typeof SHOWN)[number];
type Point = readonly [number, number];

/** A line over the last day; its range is next to it as text, so the line is optional. */
function Line({ points, label }: { points: readonly Point[]; label: string }): ReactNode {
  const times = points.map(([at]) => at);
  const values = points.map(([, value]) => value);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at: number) => (to === from ? 0 : ((at - from) / (to - from)) * WIDTH);
  const y = (value: number) => HEIGHT - 6 - (high === low ? 0.5 : (value - low) / (high - low)) * (HEIGHT - 12);
  const path = points
    .map(([at, value], index) => `${index === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  // A single value makes no line; it is drawn as a level.
  const level = points.length === 1 ? `H${WIDTH}` : '';
  return (
    <svg className="measure__line" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={path + level} fill="none" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function Measure({ name, unit, points }: { name: Shown; unit: string; points: readonly Point[] }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const [table, setTable] = useState(false);
  const values = points.map(([, value]) => value);
  const last = points.at(-1);
  const title = `${t(`deviceForms.measure.${name}`)} (${unit})`;
  const range = t('deviceForms.measure.range', { low: Math.min(...values).toFixed(1), high: Math.max(...values).toFixed(1) });
  return (
    <div className="measure">
      <div className="measure__head">
        <h3>{title}</h3>
        <button type="button" className="link" aria-expanded={table} onClick={() => setTable(!table)}>
          {t(table ? 'deviceForms.measure.asChart' : 'deviceForms.measure.asTable')}
        </button>
        <p className="measure__figures">
          <span className="num strong">{last?.[1].toFixed(1)}</span>
          <span className="dim">{range}</span>
        </p>
      </div>
      {table ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
        <div className="measure__table" tabIndex={0} role="region" aria-label={title}>
          <table>
            <tbody>
              {points.toReversed().map(([at, value]) => (
                <tr key={at}>
                  <td className="num">{formatDateTime(at, zone)}</td>
                  <td className="num">{value.toFixed(1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Line points={points} label={`${title}: ${range}`} />
      )}
    </div>
  );
}

/** The readings of the router over the last 24 hours. */
export function Measurements({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = useQuery(telemetryQuery(device));
  if (query.isPending) return <Skeleton />;
  if (query.data === undefined) return <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />;
  const series = query.data;
  const shown = SHOWN.flatMap((name) => series.filter(({ parameter, points }) => parameter === name && points.length > 0));
  if (shown.length === 0) return <p className="dim">{t('deviceForms.measure.none')}</p>;
  return (
    <div className="measures">
      {shown.map(({ parameter, unit, points }) => (
        <Measure key={parameter} name={parameter as Shown} unit={unit} points={points} />
      ))}
    </div>
  );
}

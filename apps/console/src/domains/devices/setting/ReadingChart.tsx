import { signalLimits, signalQuality } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { csvFile, saveFile } from '../../../api/download.ts';
import { bandsOf, type DrawnReading, isRated, scaleOf } from '../../../entities/devices/readings.ts';
import { TimeChart } from '../../../ui/chart/TimeChart.tsx';
import { gapOf, type TimePoint } from '../../../ui/chart/points.ts';
import { formatDateTime, formatNumber } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import type { Readings } from './device-setting.api.ts';

export interface Series {
  readonly name: DrawnReading;
  readonly unit: string;
  readonly points: readonly Required<TimePoint>[];
}

const format = (value: number) => formatNumber(Number(value.toFixed(1)));

/** Least, mean and greatest value of the range. */
function Figures({ points, unit }: Pick<Series, 'points' | 'unit'>): ReactNode {
  const { t } = useTranslation();
  const figures = {
    min: Math.min(...points.map(({ low }) => low)),
    mean: points.reduce((sum, { value }) => sum + value, 0) / points.length,
    max: Math.max(...points.map(({ high }) => high)),
  };
  return (
    <dl className="reading__figures">
      {(['min', 'mean', 'max'] as const).map((figure) => (
        <div key={figure}>
          <dt>{t(`devicePage.readings.${figure}`)}</dt>
          <dd className="num">
            {format(figures[figure])} {unit}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What the colours behind a signal mean. */
function Legend({ name, unit }: Pick<Series, 'name' | 'unit'>): ReactNode {
  const { t } = useTranslation();
  if (!isRated(name)) return null;
  const { good, fair } = signalLimits[name];
  const texts = {
    good: `≥ ${format(good)} ${unit}`,
    fair: `≥ ${format(fair)} ${unit}`,
    poor: `< ${format(fair)} ${unit}`,
  };
  return (
    <ul className="reading__legend">
      {(['good', 'fair', 'poor'] as const).map((quality) => (
        <li key={quality}>
          <i data-tone={quality} aria-hidden="true" />
          {t(`devicePage.quality.${quality}`)} {texts[quality]}
        </li>
      ))}
    </ul>
  );
}

function Table({ series, title }: { series: Series; title: string }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className="reading__table" tabIndex={0} role="group" aria-label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('devicePage.readings.time')}</th>
            {(['min', 'mean', 'max'] as const).map((figure) => (
              <th key={figure} scope="col" className="num">
                {t(`devicePage.readings.${figure}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.points.toReversed().map(({ at, low, value, high }) => (
            <tr key={at}>
              <td className="num">{formatDateTime(at, zone)}</td>
              <td className="num">{format(low)}</td>
              <td className="num">{format(value)}</td>
              <td className="num">{format(high)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export interface ReadingProps {
  readonly series: Series;
  readonly readings: Readings;
  /** Of the device, for the name of a file. */
  readonly device: string;
}

/** One reading over the range: as a chart, as a table, or as a file. */
export function Reading({ series, readings, device }: ReadingProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const [table, setTable] = useState(false);
  const { name, unit, points } = series;
  const title = t('ui.withUnit', { name: t(`devicePage.readings.name.${name}`), unit });
  const pointText = ({ at, value }: TimePoint) => {
    const rating = isRated(name) ? ` · ${t(`devicePage.quality.${signalQuality(name, value)}`)}` : '';
    return `${format(value)} ${unit}${rating} · ${formatDateTime(at, zone)}`;
  };
  const save = () => {
    const head = [
      t('devicePage.readings.time'),
      ...(['min', 'mean', 'max'] as const).map((figure) => `${t(`devicePage.readings.${figure}`)} (${unit})`),
    ];
    const rows = points.map(({ at, low, value, high }) => [formatDateTime(at, zone), low, value, high]);
    saveFile(csvFile([head, ...rows]), `${device} ${name}.csv`.replaceAll(/[\\/:*?"<>|]/gu, '-'));
  };
  const scale = scaleOf(points);
  return (
    <section className="reading" aria-label={title}>
      <div className="reading__head">
        <h3>{title}</h3>
        <button type="button" className="link" aria-expanded={table} onClick={() => setTable(!table)}>
          {t(table ? 'devicePage.readings.asChart' : 'devicePage.readings.asTable')}
        </button>
        <button type="button" className="link" aria-label={t('devicePage.readings.csvOf', { title })} onClick={save}>
          CSV
        </button>
      </div>
      <Figures points={points} unit={unit} />
      {table ? (
        <Table series={series} title={title} />
      ) : (
        <TimeChart
          label={title}
          points={points}
          from={readings.from}
          until={readings.until}
          scale={scale}
          tickText={format}
          pointText={pointText}
          gap={gapOf(points, readings.step)}
          breaks={readings.offline}
          bands={bandsOf(name, scale)}
        />
      )}
      <Legend name={name} unit={unit} />
    </section>
  );
}

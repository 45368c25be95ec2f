import { devices } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { Panel } from '../../../entities/devices/Panel.tsx';
import { drawnReadings, isRated } from '../../../entities/devices/readings.ts';
import { Choices } from '../../../ui/chart/Choices.tsx';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { measuredIn, type TemperatureUnit, useTemperatureUnit } from '../../../ui/units.ts';
import { Reading, type Series, type ReadingProps } from './ReadingChart.tsx';
import { type Readings, readingsQuery } from './device-setting.api.ts';
import '../../../entities/devices/readings.css';

function seriesOf({ series }: Readings, temperatures: TemperatureUnit): Series[] {
  return drawnReadings.flatMap((name) =>
    series
      .filter(({ parameter, points }) => parameter === name && points.length > 0)
      .map(({ unit, points }) => {
        const shown = (value: number) => measuredIn(temperatures, value, unit).value;
        return {
          name,
          unit: measuredIn(temperatures, 0, unit).unit,
          points: points.map(([at, low, value, high]) => ({ at, low: shown(low), value: shown(value), high: shown(high) })),
        };
      }),
  );
}

function All({ readings, device }: Omit<ReadingProps, 'series'>): ReactNode {
  const { t } = useTranslation();
  const all = seriesOf(readings, useTemperatureUnit());
  if (all.length === 0) return <p className="dim">{t('devicePage.readings.none')}</p>;
  return (
    <>
      <div className="readings">
        {all.map((series) => (
          <Reading key={series.name} series={series} readings={readings} device={device} />
        ))}
      </div>
      <p className="dim readings__notes">
        {readings.offline.length > 0 && (
          <span className="readings__offline">
            <i aria-hidden="true" /> {t('devicePage.readings.offline')}
          </span>
        )}
        {all.some(({ name }) => isRated(name)) && t('devicePage.readings.source')}
      </p>
    </>
  );
}

/** The readings of a router over a range that is part of the address (DPG-02). @param name of the device */
export function ReadingsPanel({ device, name }: { device: string; name: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate({ from: '/devices/setting' });
  const search = useSearch({ from: '/signed-in/devices/setting' });
  const { range = '24h' } = search;
  const { data, error, refetch } = useQuery(readingsQuery(device, range));
  const options = devices.readingRangeNames.map((value) => ({ value, label: t(`devicePage.readings.range.${value}`) }));
  const choose = (value: devices.ReadingRange) =>
    void navigate({ to: '.', search: { ...search, range: value }, replace: true, resetScroll: false });
  return (
    <Panel
      id="device-readings"
      title={t('devicePage.readings.title')}
      more={<Choices label={t('devicePage.readings.chooseRange')} options={options} value={range} onChange={choose} />}
    >
      {data === undefined && error === null && <Skeleton lines={8} />}
      {data === undefined && error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {data !== undefined && <All key={range} readings={data} device={name} />}
    </Panel>
  );
}

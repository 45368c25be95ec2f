import { ActionIcon, Button } from '../../../ui/controls/Button.tsx';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type devices, positions } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../../api/DownloadButton.tsx';
import { useErrorText } from '../../../api/useErrorText.ts';
import { Choices } from '../../../ui/chart/Choices.tsx';
import { DateField } from '../../../ui/form/DateField.tsx';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { speedIn, useSpeedText, useSpeedUnit } from '../../../ui/units.ts';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { useDistanceText } from '../../../ui/units.ts';
import { dayFromIso, dayIn, formatDateTime, formatDay, formatNumber, isoFromDay, NOT_REPORTED } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { Panel } from '../../../entities/devices/Panel.tsx';
import '../../../entities/devices/readings.css';
import '../../../entities/map/map.css';
import { EstimatedPosition } from './EstimatedPosition.tsx';
import { NewestPosition } from './NewestPosition.tsx';
import { ShareLink } from '../ShareLink.tsx';
import { PositionFaults } from './PositionFaults.tsx';
import { fetchTrailFile, trailQuery, type Trail } from './trail.api.ts';
import './trail.css';
import { TrailCharts } from './TrailCharts.tsx';
import { dayAfter } from './trail-day.ts';
import { fixAt, SPEED_LIMITS, trailColors, trailTones, type Fix, type TrailColor } from './trail.ts';
import { FixTable, StopList } from './TrailTables.tsx';
import { MapPlaceholder } from '../../../entities/map/MapPlaceholder.tsx';

const TrailMap = lazy(async () => ({ default: (await import('./TrailMap.tsx')).TrailMap }));

/** The position that is shown, as text. */
function useFixText(): (fix: Fix) => string {
  const { t } = useTranslation();
  const zone = useZone();
  const speedText = useSpeedText();
  return ({ at, speed, signal }) =>
    [
      formatDateTime(at, zone),
      speed === null ? NOT_REPORTED : speedText(speed),
      signal === null ? t('trail.noSignal') : `${formatNumber(signal)} dBm`,
    ].join(' · ');
}

function Legend({ by }: { by: TrailColor }): ReactNode {
  const { t } = useTranslation();
  const unit = useSpeedUnit();
  const [slow, city, road] = SPEED_LIMITS.map((limit) => speedIn(unit, limit));
  return (
    <ul className="map-legend" aria-label={t('positions.legend.label')}>
      {trailTones[by].map((tone) => (
        <li key={tone}>
          <span className="trail__tone" data-tone={tone} aria-hidden="true" />
          {by === 'speed'
            ? t(`trail.speed.${tone as (typeof trailTones)['speed'][number]}`, { slow, city, road, unit })
            : t(`trail.signal.${tone as (typeof trailTones)['signal'][number]}`)}
        </li>
      ))}
      <li>
        <span className="trail__tone" data-tone="gap" aria-hidden="true" />
        {t('trail.gap')}
      </li>
    </ul>
  );
}

/** The day: map, slider, charts, stops and the table of positions. */
function Day({ trail, by }: { trail: Trail; by: TrailColor }): ReactNode {
  const { t } = useTranslation();
  const fixText = useFixText();
  const [at, setAt] = useState<number>();
  const [table, setTable] = useState(false);
  const { fixes } = trail;
  const last = fixes.length - 1;
  const index = at === undefined ? last : fixAt(fixes, at);
  const chosen = fixes[index];
  return (
    <>
      <div className="trail__main">
        <div className="trail__map">
          <Suspense fallback={<MapPlaceholder />}>
            <TrailMap {...{ trail, by, chosen }} onChoose={(next) => setAt(fixes[next]?.at)} />
          </Suspense>
          <Legend by={by} />
        </div>
        <section className="trail__side" aria-label={t('trail.stops')}>
          <h3>{t('trail.stops')}</h3>
          <StopList trail={trail} onChoose={setAt} />
        </section>
      </div>
      {chosen !== undefined && (
        <div className="trail__time">
          <label htmlFor="trail-time">{t('trail.time')}</label>
          <input
            id="trail-time"
            type="range"
            min={0}
            max={last}
            value={index}
            aria-valuetext={fixText(chosen)}
            onChange={({ target }) => setAt(fixes[Number(target.value)]?.at)}
          />
          <output className="num" htmlFor="trail-time">
            {fixText(chosen)}
          </output>
        </div>
      )}
      <TrailCharts trail={trail} at={at === undefined ? undefined : chosen?.at} onChoose={setAt} />
      <div>
        {trail.every > 1 && <p className="dim">{t('trail.thinned', { every: formatNumber(trail.every) })}</p>}
        <button type="button" className="link trail__toggle" aria-expanded={table} onClick={() => setTable(!table)}>
          {t(table ? 'trail.hideTable' : 'trail.showTable', { count: fixes.length, shown: formatNumber(fixes.length) })}
        </button>
        {table && <FixTable trail={trail} />}
      </div>
    </>
  );
}

const formatNames: Readonly<Record<positions.TrailFormat, string>> = { geojson: 'GeoJSON', gpx: 'GPX', csv: 'CSV' };

const today = (zone: string) => isoFromDay(dayIn(new Date(), zone));

/** The choice of the day and of the colours, part of the address; and the files of the day. */
function Tools({ device, trail, by }: { device: string; trail: Trail | undefined; by: TrailColor }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const navigate = useNavigate({ from: '/devices/setting' });
  const search = useSearch({ from: '/signed-in/devices/setting' });
  const day = search.day ?? today(zone);
  const change = (part: { day?: string | undefined; color?: 'signal' | undefined }) =>
    void navigate({ to: '.', search: { ...search, ...part }, replace: true, resetScroll: false });
  const open = (iso: string) => change({ day: iso === today(zone) ? undefined : iso });
  return (
    <div className="trail__tools">
      <div className="trail__day">
        <ActionIcon aria-label={t('trail.dayBefore')} onClick={() => open(dayAfter(day, -1))}>
          <IconChevronLeft size={16} />
        </ActionIcon>
        <DateField
          label={t('trail.day')}
          value={dayFromIso(day)}
          to={dayFromIso(today(zone))}
          onChange={(text) => isoFromDay(text) !== '' && open(isoFromDay(text))}
        />
        <ActionIcon aria-label={t('trail.dayAfter')} disabled={day >= today(zone)} onClick={() => open(dayAfter(day, 1))}>
          <IconChevronRight size={16} />
        </ActionIcon>
      </div>
      <Choices
        label={t('positions.color.label')}
        options={trailColors.map((value) => ({ value, label: t(`trail.chart.${value}`) }))}
        value={by}
        onChange={(value) => change({ color: value === 'signal' ? 'signal' : undefined })}
      />
      {trail !== undefined && trail.fixes.length > 0 && (
        <div className="trail__files" role="group" aria-label={t('trail.files')}>
          {positions.trailFormats.map((format) => (
            <DownloadButton
              key={format}
              label={formatNames[format]}
              fileName={`${t('trail.fileName')} ${trail.day}.${format}`}
              fetchFile={(language) => fetchTrailFile({ device, day: trail.day, zone }, format, language)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** Where a device is, and where it was on a day (POS-04, POS-07). */
export function TrailPanel({ device, estimated }: { device: string; estimated: devices.EstimatedPosition | null }): ReactNode {
  const { t } = useTranslation();
  const distanceText = useDistanceText();
  const errorText = useErrorText();
  const zone = useZone();
  const navigate = useNavigate({ from: '/devices/setting' });
  const search = useSearch({ from: '/signed-in/devices/setting' });
  const { data: trail, error, refetch } = useQuery(trailQuery(device, search.day, zone));
  const by: TrailColor = search.color ?? 'speed';
  const lastDay = trail?.newest ? isoFromDay(dayIn(trail.newest.at, zone)) : undefined;
  return (
    <>
      <Panel id="device-position" title={t('trail.newest')} more={<ShareLink device={device} />}>
        {trail === undefined ? error === null && <Skeleton lines={3} /> : <NewestPosition key={device} newest={trail.newest} />}
        {estimated !== null && <EstimatedPosition key={`estimated ${device}`} device={device} estimated={estimated} />}
        {trail !== undefined && <PositionFaults faults={trail.faults} />}
      </Panel>
      <Panel
        id="device-trail"
        title={t('trail.title')}
        more={trail !== undefined && trail.fixes.length > 0 && <span className="dim num">{distanceText(trail.km * 1_000)}</span>}
      >
        <Tools device={device} trail={trail} by={by} />
        {trail === undefined && error === null && <Skeleton lines={8} />}
        {trail === undefined && error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
        {trail !== undefined && trail.fixes.length > 0 && <Day key={trail.day} trail={trail} by={by} />}
        {trail !== undefined && trail.fixes.length === 0 && (
          <EmptyState
            text={t('trail.none')}
            detail={lastDay === undefined ? t('trail.noneHint') : undefined}
            action={
              lastDay !== undefined &&
              lastDay !== trail.day && (
                <Button
                  onClick={() =>
                    void navigate({ to: '.', search: { ...search, day: lastDay }, replace: true, resetScroll: false })
                  }
                >
                  {t('trail.openLast', { day: formatDay(lastDay) })}
                </Button>
              )
            }
          />
        )}
      </Panel>
    </>
  );
}

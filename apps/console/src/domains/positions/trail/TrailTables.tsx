import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { Button } from '../../../ui/controls/Button.tsx';
import { speedIn, useSpeedUnit } from '../../../ui/units.ts';
import { formatDateTime, formatNumber, NOT_REPORTED } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { durationText } from '../../../entities/devices/Duration.tsx';
import type { Trail } from './trail.api.ts';

/** Positions added to the table at once. */
const STEP = 500;

/** The time of day of an instant in the zone of the screen. */
function useTimeOfDay(): (at: number) => string {
  const zone = useZone();
  return (at) => formatDateTime(at, zone).slice(11);
}

/** Where the vehicle stood, and when it was not followed; each leads to its time. */
export function StopList({ trail, onChoose }: { trail: Trail; onChoose: (at: number) => void }): ReactNode {
  const { t } = useTranslation();
  const time = useTimeOfDay();
  const entries = [
    ...trail.stops.map(({ from, until }) => ({ kind: 'stop' as const, from, until })),
    ...trail.gaps.map(([from, until]) => ({ kind: 'gap' as const, from, until })),
  ].toSorted((a, b) => a.from - b.from);
  if (entries.length === 0) return <p className="dim trail__none">{t('trail.noStops')}</p>;
  return (
    <ul className="trail__stops" aria-label={t('trail.stops')}>
      {entries.map(({ kind, from, until }) => (
        <li key={`${kind} ${from}`}>
          <button type="button" className="trail__stop" data-kind={kind} onClick={() => onChoose(from)}>
            <span className="num">
              {time(from)} – {time(until)}
            </span>
            <span className="trail__stop-kind">{t(`trail.${kind}`)}</span>
            <span className="num">{durationText(until - from, t)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Every position of the day as a table. */
export function FixTable({ trail }: { trail: Trail }): ReactNode {
  const { t } = useTranslation();
  const time = useTimeOfDay();
  const [shown, setShown] = useState(STEP);
  const left = trail.fixes.length - shown;
  const unit = useSpeedUnit();
  const text = (value: number | null) => (value === null ? NOT_REPORTED : formatNumber(Math.round(value)));
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div className="reading__table trail__table" tabIndex={0} role="group" aria-label={t('trail.table')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('trail.column.time')}</th>
              <th scope="col" className="num">
                {t('trail.column.latitude')}
              </th>
              <th scope="col" className="num">
                {t('trail.column.longitude')}
              </th>
              <th scope="col" className="num">
                {t('ui.withUnit', { name: t('trail.chart.speed'), unit })}
              </th>
              <th scope="col" className="num">
                {t('ui.withUnit', { name: t('trail.chart.signal'), unit: 'dBm' })}
              </th>
            </tr>
          </thead>
          <tbody>
            {trail.fixes.slice(0, shown).map(({ at, latitude, longitude, speed, signal }) => (
              <tr key={at}>
                <td className="num">{time(at)}</td>
                <td className="num">{latitude.toFixed(5)}</td>
                <td className="num">{longitude.toFixed(5)}</td>
                <td className="num">{text(speed === null ? null : speedIn(unit, speed))}</td>
                <td className="num">{text(signal)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <Button variant="subtle" onClick={() => setShown(shown + STEP)}>
          {t('positions.more', { shown: formatNumber(left), count: left })}
        </Button>
      )}
    </>
  );
}

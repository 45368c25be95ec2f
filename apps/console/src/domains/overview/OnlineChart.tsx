import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/useErrorText.ts';
import { ErrorState } from '../../ui/states.tsx';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { type OnlineMoment, onlineShareQuery } from './attention.api.ts';
import './online-chart.css';
import { nearest, placeOf, runsOf, shareOf, stepOf } from './online-chart.ts';

const ranges = ['24', '168'] as const;
type Range = (typeof ranges)[number];

const WIDTH = 600;
const HEIGHT = 100;

const x = (at: number, hours: number, now: number) => placeOf(at, hours, now) * WIDTH;
const y = (moment: OnlineMoment) => (1 - shareOf(moment)) * HEIGHT;

interface PlotProps {
  readonly moments: readonly OnlineMoment[];
  readonly range: Range;
  readonly now: number;
  /** Index of the moment that is named. */
  readonly at: number | undefined;
}

function Plot({ moments, range, now, at }: PlotProps): ReactNode {
  const hours = Number(range);
  const named = at === undefined ? undefined : moments[at];
  return (
    <svg className="online-chart__plot drawn" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {[0, 0.5, 1].map((share) => (
        <line key={share} className="online-chart__grid" x1="0" x2={WIDTH} y1={share * HEIGHT} y2={share * HEIGHT} />
      ))}
      {runsOf(moments, stepOf[range]).map((run) => {
        const points = run.map((moment) => `${x(moment.at, hours, now).toFixed(1)},${y(moment).toFixed(1)}`);
        const [first] = points;
        // A single moment is a short line, so that it is visible.
        return (
          <polyline
            key={run[0]?.at}
            className="online-chart__line"
            points={points.length === 1 ? `${first} ${first}` : points.join(' ')}
          />
        );
      })}
      {named !== undefined && (
        <line className="online-chart__cursor" x1={x(named.at, hours, now)} x2={x(named.at, hours, now)} y1="0" y2={HEIGHT} />
      )}
    </svg>
  );
}

/** The plot with its axes; a pointer or the arrow keys name the moments. */
function Chart({ moments, range }: { moments: readonly OnlineMoment[]; range: Range }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = Math.floor(useNow().getTime() / 60_000) * 60;
  const [chosen, setChosen] = useState<number>();
  const at = chosen === undefined ? undefined : Math.min(chosen, moments.length - 1);
  const hours = Number(range);
  const textOf = (index: number): string => {
    const moment = moments[index];
    if (moment === undefined) return '';
    return t('overview.share.moment', {
      time: formatDateTime(moment.at, zone),
      percent: Math.round(shareOf(moment) * 100),
      online: formatNumber(moment.online),
      devices: formatNumber(moment.devices),
    });
  };
  const onPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(nearest(moments, (clientX - left) / width, hours, now));
  };
  const last = moments.length - 1;
  return (
    <>
      <p className="online-chart__moment num">{textOf(at ?? last)}</p>
      <div className="online-chart__body">
        <div className="online-chart__axis" aria-hidden="true">
          <span>100%</span>
          <span>50%</span>
          <span>0%</span>
        </div>
        <div className="online-chart__area" onPointerMove={onPointer} onPointerLeave={() => setChosen(undefined)}>
          <Plot moments={moments} range={range} now={now} at={at} />
          <input
            type="range"
            className="online-chart__keys"
            aria-label={t('overview.share.title')}
            aria-valuetext={textOf(at ?? last)}
            min={0}
            max={last}
            value={at ?? last}
            onFocus={() => setChosen(at ?? last)}
            onBlur={() => setChosen(undefined)}
            onChange={({ target }) => setChosen(Number(target.value))}
          />
        </div>
      </div>
      <div className="online-chart__times num" aria-hidden="true">
        <span>{formatDateTime(now - hours * 3_600, zone).slice(0, -3)}</span>
        <span>{formatDateTime(now, zone).slice(0, -3)}</span>
      </div>
    </>
  );
}

/**
 * The share of devices online over the last day or week (ATT-02), inside its card.
 * @param id of its heading
 */
export function OnlineChart({ id, org }: { id: string; org?: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [range, setRange] = useState<Range>('24');
  const { data, error, refetch } = useQuery(onlineShareQuery(range, org));
  return (
    <>
      <div className="overview__head">
        <h2 id={id}>{t('overview.share.title')}</h2>
        <div className="online-chart__ranges" role="group" aria-label={t('overview.share.range')}>
          {ranges.map((one) => (
            <button key={one} type="button" aria-pressed={one === range} onClick={() => setRange(one)}>
              {t(`overview.share.hours.${one}`)}
            </button>
          ))}
        </div>
      </div>
      {data === undefined && error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {data !== undefined && data.length === 0 && <p className="dim">{t('overview.share.none')}</p>}
      {data !== undefined && data.length > 0 && <Chart key={range} moments={data} range={range} />}
    </>
  );
}

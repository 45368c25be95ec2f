import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { Choices } from '../../ui/chart/Choices.tsx';
import type { TimePoint } from '../../ui/chart/points.ts';
import { TimeChart } from '../../ui/chart/TimeChart.tsx';
import { percentOf } from '../../ui/percent.ts';
import { ErrorState } from '../../ui/states.tsx';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { type OnlineMoment, onlineShareQuery } from './attention.api.ts';
import { shareOf, stepOf } from './online-chart.ts';

const ranges = ['24', '168'] as const;
type Range = (typeof ranges)[number];

const SCALE = { min: 0, max: 1, ticks: [0, 0.5, 1] };
const tickText = (share: number) => `${percentOf(share, 1)}%`;

interface Moment extends TimePoint {
  readonly moment: OnlineMoment;
}

/** The plot with its axes; a pointer or the arrow keys name the moments. */
function Chart({ moments, range }: { moments: readonly OnlineMoment[]; range: Range }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = Math.floor(useNow().getTime() / 60_000) * 60;
  return (
    <TimeChart<Moment>
      label={t('overview.share.title')}
      points={moments.map((moment) => ({ at: moment.at, value: shareOf(moment), moment }))}
      from={now - Number(range) * 3_600}
      until={now}
      scale={SCALE}
      tickText={tickText}
      pointText={({ at, moment }) =>
        t('overview.share.moment', {
          time: formatDateTime(at, zone),
          percent: percentOf(moment.online, moment.devices),
          online: formatNumber(moment.online),
          devices: formatNumber(moment.devices),
        })
      }
      gap={stepOf[range] * 1.5}
      tone="ok"
    />
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
  const options = ranges.map((value) => ({ value, label: t(`overview.share.hours.${value}`) }));
  return (
    <>
      <div className="overview__head">
        <h2 id={id}>{t('overview.share.title')}</h2>
        <Choices label={t('overview.share.range')} options={options} value={range} onChange={setRange} />
      </div>
      {data === undefined && error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {data !== undefined && data.length === 0 && <p className="dim">{t('overview.share.none')}</p>}
      {data !== undefined && data.length > 0 && <Chart key={range} moments={data} range={range} />}
    </>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { useZone } from '../../ui/time/zone.ts';
import { useProperties } from '../reports/index.ts';
import type { PinnedChart } from './pins.api.ts';
import { ChartCard } from './ChartCard.tsx';
import { useLabels } from './labels.ts';
import { Unpin } from './Pin.tsx';
import { fieldsOf } from './question.ts';
import { recordsSearch } from './records.ts';
import './analysis.css';

function Pinned({ chart: { id, api, content } }: { chart: PinnedChart }): ReactNode {
  const { t } = useTranslation();
  const fields = fieldsOf(api.arguments, useZone(), useSession().org?.id);
  // Uses the viewer's current language; the pin itself has the date and language of its creation.
  const labels = useLabels(fields);
  const properties = useProperties();
  return (
    <ChartCard
      chartType={api.chartType}
      input={api.arguments}
      labels={labels}
      mark={content.mark}
      waiting={content.title}
      plain
      actions={(_, title) => <Unpin draw={id} title={title} />}
      records={
        <Link to="/reports/list/$type" params={{ type: 'goto' }} search={recordsSearch(fields, properties)}>
          {t('analysis.records')}
        </Link>
      }
    />
  );
}

/** The user's pinned charts on the overview, each refetched (OVW-08). */
export function PinnedCharts({ pins }: { pins: readonly PinnedChart[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="charts" role="group" aria-label={t('analysis.pins')}>
      {pins.map((chart) => (
        <Pinned key={chart.id} chart={chart} />
      ))}
    </div>
  );
}

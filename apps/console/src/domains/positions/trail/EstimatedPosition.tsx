import type { devices } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useDistanceText } from '../../../ui/units.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import { Fact } from '../../../entities/devices/Fact.tsx';
import { PlaceName } from '../PlaceName.tsx';

/** Where the vehicle probably is, from the cell that serves it (SAY-08). */
export function EstimatedPosition({
  device,
  estimated: { latitude, longitude, radius, at },
}: {
  device: string;
  estimated: devices.EstimatedPosition;
}): ReactNode {
  const { t } = useTranslation();
  const distanceText = useDistanceText();
  return (
    <section className="trail__estimate" aria-label={t('trail.estimate')}>
      <h3>{t('trail.estimate')}</h3>
      <dl className="facts">
        <Fact label={t('positions.fact.state')}>
          <StatusDot tone="warn">{t('positions.estimated', { radius: distanceText(radius) })}</StatusDot>
        </Fact>
        <Fact label={t('positions.fact.contact')}>
          <RelativeTime moment={at} />
        </Fact>
        <Fact label={t('trail.estimateMiddle')}>
          <PlaceName latitude={latitude} longitude={longitude} />
        </Fact>
      </dl>
      <p className="dim">{t('positions.estimatedHint')}</p>
      <Link to="/map" search={{ vehicle: device }}>
        {t('trail.estimateMap')}
      </Link>
    </section>
  );
}

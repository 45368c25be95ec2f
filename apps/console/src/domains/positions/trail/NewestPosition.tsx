import { devices } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Copyable } from '../../../ui/CopyButton.tsx';
import { useDistanceText, useSpeedText } from '../../../ui/units.ts';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import { NOT_REPORTED } from '../../../ui/time/format.ts';
import { useNow } from '../../../ui/time/now.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { Fact } from '../../../entities/devices/Fact.tsx';
import { PlaceName } from '../PlaceName.tsx';
import type { Trail } from './trail.api.ts';

/** The newest position; never had one, and none for 24 hours, are states with a text (POS-07). */
export function NewestPosition({ newest }: { newest: Trail['newest'] }): ReactNode {
  const { t } = useTranslation();
  const distanceText = useDistanceText();
  const now = useNow();
  const speedText = useSpeedText();
  if (newest === null)
    return (
      <>
        <StatusDot tone="unknown">{t('trail.state.never')}</StatusDot>
        <p className="dim">{t('positions.noneHint')}</p>
      </>
    );
  const { at, latitude, longitude, speed, accuracy } = newest;
  const place = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const isOld = now.getTime() / 1_000 - at > devices.OLD_POSITION_HOURS * 3_600;
  return (
    <dl className="facts">
      <Fact label={t('positions.fact.state')}>
        <StatusDot tone={isOld ? 'warn' : 'ok'}>{t(isOld ? 'trail.state.old' : 'trail.state.known')}</StatusDot>
      </Fact>
      <Fact label={t('positions.fact.at')}>
        <RelativeTime moment={at} />
      </Fact>
      <Fact label={t('positions.fact.placeName')}>
        <PlaceName latitude={latitude} longitude={longitude} />
      </Fact>
      <Fact label={t('positions.fact.place')}>
        <Copyable text={place} label={t('positions.fact.place')}>
          {place}
        </Copyable>
      </Fact>
      <Fact label={t('positions.fact.accuracy')}>{accuracy === null ? NOT_REPORTED : `± ${distanceText(accuracy)}`}</Fact>
      <Fact label={t('positions.fact.speed')}>{speed === null ? NOT_REPORTED : speedText(speed)}</Fact>
    </dl>
  );
}

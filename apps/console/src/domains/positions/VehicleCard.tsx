import { ActionIcon } from '../../ui/controls/Button.tsx';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { useDistanceText } from '../../ui/units.ts';
import { Copyable } from '../../ui/CopyButton.tsx';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { DiagnosisCell } from '../../entities/devices/cells.tsx';
import { PlaceName } from './PlaceName.tsx';
import { ShareLink } from './ShareLink.tsx';
import { useMotionText } from './motion.ts';
import { alertTone, type Vehicle } from './vehicle.ts';

/** So far from the position before, the server calls it a jump. */
const JUMP_METRES = 500_000;

function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The chosen vehicle: where it is, since when, and the way to its page. */
export function VehicleCard({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const distanceText = useDistanceText();
  const { name, latitude, longitude, at, presence, rssi, accuracy, isJump, alert, diagnosis, radius } = vehicle;
  const motionText = useMotionText();
  const session = useSession();
  const alertText = alert !== null && t(`positions.legend.alert.${alertTone(alert)}`);
  const place = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return (
    <section className="vehicle-card" aria-label={t('positions.chosen', { name })}>
      <header className="vehicle-card__head">
        <h2>{name}</h2>
        <ActionIcon aria-label={t('positions.close')} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      <dl className="vehicle-card__facts">
        <Fact label={t(radius === null ? 'positions.fact.at' : 'positions.fact.contact')}>
          <RelativeTime moment={at} />
        </Fact>
        <Fact label={t('positions.fact.state')}>{t(`positions.presence.${presence}`)}</Fact>
        {alertText !== false && (
          <Fact label={t('positions.fact.alert')}>
            {isPageOpen(session, '/alerts') ? (
              <Link to="/alerts" search={{ device: vehicle.device, state: 'open' }}>
                {alertText}
              </Link>
            ) : (
              alertText
            )}
          </Fact>
        )}
        {diagnosis !== null && (
          <Fact label={t('positions.fact.diagnosis')}>
            <DiagnosisCell kind={diagnosis} />
          </Fact>
        )}
        <Fact label={t('positions.fact.speed')}>{motionText(vehicle) ?? NOT_REPORTED}</Fact>
        <Fact label={t('positions.fact.signal')}>{rssi === null ? NOT_REPORTED : `${formatNumber(rssi)} dBm`}</Fact>
        <Fact label={t('positions.fact.placeName')}>
          {/* Of another vehicle nothing is shown until its place is described. */}
          <PlaceName key={vehicle.device} latitude={latitude} longitude={longitude} />
        </Fact>
        <Fact label={t('positions.fact.place')}>
          <Copyable text={place} label={t('positions.fact.place')}>
            {place}
          </Copyable>
        </Fact>
        <Fact label={t('positions.fact.accuracy')}>
          {radius !== null
            ? t('positions.estimated', { radius: distanceText(radius) })
            : accuracy === null
              ? NOT_REPORTED
              : `± ${distanceText(accuracy)}`}
        </Fact>
      </dl>
      {radius !== null && <p className="vehicle-card__note">{t('positions.estimatedHint')}</p>}
      {isJump && <p className="vehicle-card__note">{t('positions.jump', { distance: distanceText(JUMP_METRES) })}</p>}
      {isPageOpen(session, '/devices/setting') && (
        <Link to="/devices/setting" search={{ device: vehicle.device, tab: 'location' }}>
          {t('positions.open')}
        </Link>
      )}
      <ShareLink device={vehicle.device} />
    </section>
  );
}

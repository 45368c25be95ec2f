import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../ui/time/format.ts';
import type { Attention } from './attention.api.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';

type Named = Attention['first']['weak'][number];

/** The first devices of a count by name, each leading to its page, and how many more there are (SAY-01). */
export function NamedDevices({
  devices,
  of,
  isFleet,
}: {
  readonly devices: readonly Named[];
  readonly of: number;
  /** Each with its organization. */
  readonly isFleet: boolean;
}): ReactNode {
  const { t } = useTranslation();
  if (devices.length === 0) return null;
  const more = of - devices.length;
  return (
    <ul className="attention__names">
      {devices.map((device) => (
        <li key={device.device}>
          <Link to="/devices/setting" search={{ device: device.device }}>
            {vehicleName(device)}
          </Link>
          {isFleet && <span className="dim"> {device.projectName}</span>}
        </li>
      ))}
      {more > 0 && <li className="dim">{t('overview.attention.more', { shown: formatNumber(more) })}</li>}
    </ul>
  );
}

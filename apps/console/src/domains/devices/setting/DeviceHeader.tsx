import { signalQuality } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../../api/session.ts';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import { formatNumber, NOT_REPORTED } from '../../../ui/time/format.ts';
import { DateTime } from '../../../ui/time/RelativeTime.tsx';
import { PositionAge, Signal } from '../../../entities/devices/cells.tsx';
import { connectionOf, presenceTones, propertyOf, reasonOf } from '../../../entities/devices/device.ts';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';
import { GroupLink } from '../../../entities/groups/GroupLink.tsx';
import './device-header.css';
import { ConnectedFor } from '../../../entities/devices/Duration.tsx';

/** A value of the header: its label, and a line below it that explains the value. */
function Value({ label, more, children }: { label: string; more?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className="device-status__value">
      <dt>{label}</dt>
      <dd>{children}</dd>
      <dd className="dim">{more}</dd>
    </div>
  );
}

/** Since when the router is connected or not, and why not. */
function Since({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const { presence, presence_since: since, offline_expected: expected } = device;
  if (presence === 'online') return since === null ? null : <ConnectedFor since={since} />;
  if (connectionOf(device) === 'never') return null;
  // Why a parked vehicle lost its connection is said by its state.
  const reason = expected === null ? reasonOf(device.presence_reason) : undefined;
  return (
    <>
      {presence === 'offline' && since !== null && (
        <>
          {t('devicePage.since')} <DateTime moment={since} />
          {reason !== undefined && ' · '}
        </>
      )}
      {reason !== undefined && t(`devices.reason.${reason}`)}
    </>
  );
}

function SignalValue({ device: { presence, cellular_rssi: dbm } }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const label = t('devicePage.status.signal');
  if (dbm === null) return <Value label={label}>{NOT_REPORTED}</Value>;
  const isLive = presence === 'online';
  return (
    <Value label={label} more={isLive ? t(`devicePage.quality.${signalQuality('rssi', dbm)}`) : t('devicePage.lastKnown')}>
      <span className="num">{formatNumber(dbm)} dBm</span> <Signal dbm={dbm} live={isLive} />
    </Value>
  );
}

/** The organization of a group, for the main account. */
function Organization({ device: { org, projectName } }: { device: DeviceDetails }): ReactNode {
  if (useSession().role !== 'main') return null;
  return (
    <Link to="/organization/setting" search={{ org, tab: 'overview' }}>
      {projectName}
    </Link>
  );
}

/** The place that is known best: the age of the position, leading to the map, with the cell below it; without a position the cell. */
function Place({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const { device: id, position_at: at, estimated_position: estimated, presence } = device;
  const label = t('devicePage.status.place');
  const reported = propertyOf(device, 'cell_id');
  const cell = reported === NOT_REPORTED ? undefined : t('devicePage.cell', { cell: reported });
  if (at !== null || estimated !== null) {
    return (
      <Value label={t('devices.column.position')} more={cell}>
        <Link to="/devices/setting" search={{ device: id, tab: 'location' }}>
          <PositionAge {...{ at, estimated }} />
        </Link>
      </Value>
    );
  }
  if (cell === undefined) return <Value label={label}>{NOT_REPORTED}</Value>;
  return (
    <Value label={label} more={presence === 'online' ? undefined : t('devicePage.lastKnown')}>
      {cell}
    </Value>
  );
}

/**
 * The state of a device at a glance (DPG-01): connection, signal, network, firmware, group and place. As high while it loads, so that
 * nothing moves.
 */
export function DeviceStatus({ device }: { device: DeviceDetails | undefined }): ReactNode {
  const { t } = useTranslation();
  if (device === undefined) return <div className="card device-status device-status--waiting" aria-hidden="true" />;
  const { cellular_mno: carrier, cellular_technology: technology } = device;
  const connection = connectionOf(device);
  return (
    <dl className="card device-status">
      <Value label={t('devices.column.presence')} more={<Since device={device} />}>
        <StatusDot tone={presenceTones[connection]}>{t(`devices.presence.${connection}`)}</StatusDot>
      </Value>
      <SignalValue device={device} />
      <Value label={t('devicePage.status.network')} more={technology}>
        {carrier ?? NOT_REPORTED}
      </Value>
      <Value label={t('devices.column.firmware')} more={propertyOf(device, 'model')}>
        {propertyOf(device, 'firmware')}
      </Value>
      <Value label={t('devices.column.group')} more={<Organization device={device} />}>
        <GroupLink group={device.group}>{device.group_name}</GroupLink>
      </Value>
      <Place device={device} />
    </dl>
  );
}

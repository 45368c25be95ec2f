import { devices, diagnoses, type DiagnosisKind, healthRating } from '@highline/contract';
import { IconCircleCheck, IconClockX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { highlight } from '../../api/highlights.ts';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { Copyable } from '../../ui/CopyButton.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { useDistanceText } from '../../ui/units.ts';
import { formatDay, formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import {
  connectionOf,
  healthTones,
  isStarting,
  presenceTones,
  reasonOf,
  signalBars,
  subscriptionIcons,
  subscriptionOf,
} from './device.ts';
import type { Device } from './devices.api.ts';
import './devices.css';

/** A value that only the router can report. */
export function ReportedValue({ value }: { value: string | null }): ReactNode {
  return value === null || value === '' || value === NOT_REPORTED ? <span className="dim">{NOT_REPORTED}</span> : value;
}

/** Online or not, since when, and on hover why not (DEV-08, UX "Why"). */
export function PresenceCell({ device }: { device: Device }): ReactNode {
  const { t } = useTranslation();
  const presence = connectionOf(device);
  const reason = reasonOf(device.presence_reason);
  return (
    <span className="presence">
      <StatusDot tone={presenceTones[presence]} title={reason === undefined ? undefined : t(`devices.reason.${reason}`)}>
        {t(`devices.presence.${presence}`)}
      </StatusDot>
      {(presence === 'offline' || presence === 'parked' || presence === 'planned') && (
        <span className="dim">
          <RelativeTime moment={device.presence_since} />
        </span>
      )}
      {device.rejected !== null && <Doubt isShared={device.rejected === 'identity-shared'} />}
    </span>
  );
}

/** What the page of the device explains: a rejected connection, or an identity that two routers use. */
function Doubt({ isShared }: { isShared: boolean }): ReactNode {
  const { t } = useTranslation();
  const mark = isShared ? 'shared' : 'rejected';
  return (
    <StatusDot tone="warn" title={t(`devices.mark.${mark}Hint`)}>
      {t(`devices.mark.${mark}`)}
    </StatusDot>
  );
}

/** The state of the subscription, as one of two icons and a label (DEV-02). */
export function ServiceCell({ device }: { device: Device }): ReactNode {
  const { t } = useTranslation();
  const now = useNow();
  const state = subscriptionOf(device.subscription_status);
  const icon = subscriptionIcons[state];
  const Icon = icon === 'online' ? IconCircleCheck : IconClockX;
  return (
    <span className="status service-status">
      <Icon className="service-status__icon" data-icon={icon} size={16} aria-hidden="true" />
      {isStarting(device, now) ? t('devices.service.starts', { day: formatDay(device.started) }) : t(`devices.service.${state}`)}
    </span>
  );
}

/** The same, leading to the service status screen (DEV-03). */
export function ServiceLink({ device }: { device: Device }): ReactNode {
  return (
    <Link to="/devices/service" search={{}}>
      <ServiceCell device={device} />
    </Link>
  );
}

/** The vehicle, or without one the serial number, as a link to the device's page to look at it: users have no row click (DEV-03). */
export function VehicleLink({ device }: { device: Device }): ReactNode {
  const { t } = useTranslation();
  const { vehicle_number: vehicle, serial_number: serial } = device;
  const name = vehicle === '' ? serial : vehicle;
  return (
    <Link to="/devices/setting" search={{ device: device.device }} aria-label={t('devices.viewOf', { name })}>
      {name}
    </Link>
  );
}

/** Signal strength as bars, and in dBm on hover and for screen readers. */
export function Signal({ dbm, live }: { dbm: number; live: boolean }): ReactNode {
  const bars = live ? signalBars(dbm) : 0;
  const text = `${formatNumber(dbm)} dBm`;
  return (
    <span className="signal drawn" role="img" aria-label={text} title={text}>
      {[1, 2, 3, 4].map((bar) => (
        <i key={bar} style={{ height: 3 * bar + 2 }} data-full={bar <= bars || undefined} />
      ))}
    </span>
  );
}

/** The carrier and its signal strength. */
export function CarrierCell({ device }: { device: Device }): ReactNode {
  if (device.cellular_mno === null) return <ReportedValue value={null} />;
  return (
    <>
      {device.cellular_mno}{' '}
      {device.cellular_rssi !== null && (
        <>
          <Signal dbm={device.cellular_rssi} live={device.presence === 'online'} />{' '}
          <span className="dim" aria-hidden="true">
            {formatNumber(device.cellular_rssi)} dBm
          </span>
        </>
      )}
    </>
  );
}

/** A health score with a dot in the tone of its rating. */
export function HealthScore({ score }: { score: number }): ReactNode {
  return <StatusDot tone={healthTones[healthRating(score)]}>{score}</StatusDot>;
}

/** The most urgent thing that was found about a device (SAY-02). @param kind null = nothing */
export function DiagnosisCell({ kind }: { kind: DiagnosisKind | null }): ReactNode {
  const { t } = useTranslation();
  if (kind === null) return null;
  return <StatusDot tone={diagnoses[kind].tone}>{t(`devices.diagnosis.${kind}`)}</StatusDot>;
}

/** How old the newest position is; never had one, and none for 24 hours, are states with a text (POS-07). @param at epoch seconds */
export function PositionAge({ at, estimated }: { at: number | null; estimated?: devices.EstimatedPosition | null }): ReactNode {
  const { t } = useTranslation();
  const distanceText = useDistanceText();
  if (estimated === undefined || estimated === null) return <Age at={at} />;
  return <StatusDot tone="warn">{t('devices.estimated', { radius: distanceText(estimated.radius) })}</StatusDot>;
}

function Age({ at }: { at: number | null }): ReactNode {
  const { t } = useTranslation();
  const now = useNow();
  if (at === null) return <StatusDot tone="unknown">{t('devices.filter.positionNever')}</StatusDot>;
  const isOld = now.getTime() / 1_000 - at > devices.OLD_POSITION_HOURS * 3_600;
  if (isOld) return <StatusDot tone="warn">{t('devices.filter.positionOld')}</StatusDot>;
  return <RelativeTime moment={at} />;
}

/** The group; it leads to the groups where they may be opened, where its row is marked (DEV-03). */
export function GroupCell({ device }: { device: Device }): ReactNode {
  if (!isPageOpen(useSession(), '/groups/list')) return device.group_name;
  return (
    <Link to="/groups/list" search={{}} onClick={() => highlight('groups', [device.group])}>
      {device.group_name}
    </Link>
  );
}

/** An identifier in even figures, with a button that copies it (UX: serial, ICCID, EID, MAC). */
export function Identifier({ value, label, strong }: { value: string | null; label: string; strong?: boolean }): ReactNode {
  if (value === null || value === '') return <ReportedValue value={null} />;
  return (
    <Copyable text={value} label={label}>
      <span className={strong === true ? 'mono strong' : 'mono'}>{value}</span>
    </Copyable>
  );
}

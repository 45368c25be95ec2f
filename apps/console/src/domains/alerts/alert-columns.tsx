import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageLink } from '../../routing/PageLink.tsx';
import { PlaceText } from '../../entities/places/PlaceText.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { State, Vehicle, RuleName, Duration, PhoneTitle, stateOf, stormOf } from './alert-cells.tsx';
import { countsText, stateTones } from './alert.ts';
import type { Alert } from './alerts.api.ts';
import { severityTones } from './severity.ts';

/** The vehicle, or how many vehicles, as text. */
function whatText(alert: Alert, t: TFunction): string {
  const storm = stormOf(alert);
  if (storm !== null) return t('alerts.storm', { count: storm.count, shown: formatNumber(storm.count) });
  return alert.vehicle_number === '' ? alert.serial_number : alert.vehicle_number;
}

/** The geofences of a storm; undefined = it was outside of all, and the place of its newest alert says more. */
const placesOf = (storm: Alert['storm']) => (storm?.places.some(({ name }) => name !== '') === true ? storm.places : undefined);

/** The carrier, or those of a storm; '' where none is known. */
function carrierText(alert: Alert, t: TFunction): string {
  const counts = stormOf(alert)?.carriers;
  if (counts === undefined) return alert.carrier ?? '';
  return counts.every(({ name }) => name === '') ? '' : (countsText(counts, t) ?? '');
}

export function alertColumns(t: TFunction, isMain: boolean): readonly Column<Alert>[] {
  const organization: Column<Alert> = {
    id: 'organization',
    header: t('alerts.column.organization'),
    width: 180,
    cell: ({ projectName }) => projectName,
  };
  return [
    {
      id: 'severity',
      header: t('alerts.column.severity'),
      width: 100,
      sort: 'severity',
      pinned: true,
      phone: 'line',
      phoneCell: ({ severity }) => t(`alerts.severity.${severity}`),
      cell: ({ severity }) => <StatusDot tone={severityTones[severity]}>{t(`alerts.severity.${severity}`)}</StatusDot>,
    },
    {
      id: 'vehicle',
      header: t('devices.column.vehicle'),
      phone: 'line',
      phoneCell: (alert) => whatText(alert, t),
      width: 155,
      cell: (alert) => <Vehicle alert={alert} />,
    },
    {
      id: 'rule',
      header: t('alerts.column.rule'),
      width: 175,
      grow: true,
      wrap: true,
      phone: 'title',
      phoneCell: (alert) => <PhoneTitle alert={alert} />,
      cell: (alert) => <RuleName alert={alert} />,
    },
    {
      id: 'state',
      header: t('alerts.column.state'),
      width: 130,
      wrap: true,
      phone: 'state',
      phoneCell: (alert) => <StatusDot tone={stateTones[stateOf(alert)]}>{t(`alerts.state.${stateOf(alert)}`)}</StatusDot>,
      cell: (alert) => <State alert={alert} />,
    },
    ...(isMain ? [organization] : []),
    {
      id: 'carrier',
      header: t('alerts.column.carrier'),
      phone: 'line',
      phoneCell: (alert) => carrierText(alert, t),
      width: 115,
      wrap: true,
      cell: (alert) => <Counted counts={stormOf(alert)?.carriers}>{alert.carrier ?? NOT_REPORTED}</Counted>,
    },
    {
      id: 'group',
      header: t('devices.column.group'),
      width: 130,
      wrap: true,
      cell: (alert) => <Counted counts={stormOf(alert)?.groups}>{alert.groupName}</Counted>,
    },
    {
      id: 'place',
      header: t('alerts.column.place'),
      width: 130,
      wrap: true,
      cell: (alert) => (
        <Counted counts={placesOf(stormOf(alert))} unnamed={t('alerts.elsewhere')}>
          <Place alert={alert} />
        </Counted>
      ),
    },
    {
      id: 'duration',
      header: t('alerts.column.duration'),
      width: 85,
      cell: (alert) => <Duration alert={alert} />,
    },
    {
      id: 'fired',
      header: t('alerts.column.fired'),
      width: 95,
      sort: 'fired',
      phone: 'aside',
      cell: ({ fired }) => <RelativeTime moment={fired} />,
    },
    {
      id: 'acknowledgedBy',
      header: t('alerts.column.acknowledgedBy'),
      optional: true,
      width: 190,
      cell: (alert) => (stateOf(alert) === alert.state ? alert.acknowledgedBy : ''),
    },
    {
      id: 'serial',
      header: t('devices.column.serial'),
      optional: true,
      width: 150,
      cell: ({ serial_number: serial }) => <span className="mono">{serial}</span>,
    },
    {
      id: 'since',
      header: t('alerts.column.since'),
      optional: true,
      width: 110,
      cell: ({ since }) => <RelativeTime moment={since} />,
    },
  ];
}

interface CountedProps {
  /** Of a storm; undefined = it is one alert. */
  readonly counts: Parameters<typeof countsText>[0];
  readonly unnamed?: string;
  /** Of one alert. */
  readonly children: ReactNode;
}

/** The names of a storm with how many there are of each; nothing is said where none has a name. */
function Counted({ counts, unnamed, children }: CountedProps): ReactNode {
  const { t } = useTranslation();
  if (counts === undefined) return children;
  return counts.every(({ name }) => name === '') ? NOT_REPORTED : countsText(counts, t, unnamed);
}

/** Where the vehicle was when its alert fired, with a way to it on the map. */
function Place({ alert }: { alert: Alert }): ReactNode {
  const { place, device } = alert;
  if (place === null) return NOT_REPORTED;
  return (
    <PageLink to="/map" search={{ vehicle: device }}>
      {place.geofence ?? <PlaceText {...place} />}
    </PageLink>
  );
}

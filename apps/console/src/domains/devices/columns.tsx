import type { TFunction } from 'i18next';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { formatDay, formatUptime } from '../../ui/time/format.ts';
import type { Column } from '../../ui/table/column.ts';
import { LazyCycleUse } from '../usage/index.ts';
import {
  CarrierCell,
  DiagnosisCell,
  GroupCell,
  HealthScore,
  ReportedValue,
  Identifier,
  PositionAge,
  PresenceCell,
  ServiceCell,
  ServiceLink,
  VehicleLink,
} from '../../entities/devices/cells.tsx';
import { plainProperties, propertyOf, uptimeOf } from '../../entities/devices/device.ts';
import type { Device } from '../../entities/devices/devices.api.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';
import type { devices as messages } from './devices.en-US.ts';

type ColumnName = keyof typeof messages.column;

/** Widths of identifiers in px, with the button that copies them. */
const identifierWidths = { mac: 196, imsi: 186, iccid: 224, imei: 186, eid: 318, mtn: 160 } as const;

type Shape = Omit<Column<Device>, 'id' | 'header' | 'cell'>;

/** Of one that is offline the state says since when. */
const lastContact = ({ presence, last_seen: moment }: Device) => presence === 'online' && <RelativeTime moment={moment} />;

const diagnosisOf = ({ diagnosis }: Device) => diagnosis !== null && <DiagnosisCell kind={diagnosis} />;

const columnsByName = (t: TFunction) => {
  const header = (name: ColumnName) => t(`devices.column.${name}`);
  const column = (id: ColumnName, shape: Shape, cell: NonNullable<Column<Device>['cell']>): Column<Device> => ({
    id,
    header: header(id),
    ...shape,
    cell,
  });
  const identifier = (id: keyof typeof identifierWidths, read: (device: Device) => string | null) =>
    column(id, { width: identifierWidths[id], optional: true }, (device) => (
      <Identifier value={read(device)} label={header(id)} />
    ));
  const reported = (id: ColumnName, shape: Shape, read: (device: Device) => string | null) =>
    column(id, shape, (device) => <ReportedValue value={read(device)} />);
  return {
    number: {
      id: 'number',
      header: '#',
      width: 56,
      numeric: true,
      cell: (_device, number) => <span className="dim">{number}</span>,
    },
    presence: column('presence', { width: 214, sort: 'presence', phone: 'state' }, (device) => <PresenceCell device={device} />),
    serial: column('serial', { width: 190, sort: 'serial', pinned: true }, (device) => (
      <Identifier value={device.serial_number} label={header('serial')} strong />
    )),
    vehicle: column(
      'vehicle',
      { sort: 'vehicle', width: 128, phone: 'title', phoneCell: vehicleName },
      (device) => device.vehicle_number,
    ),
    model: reported('model', { width: 122, sort: 'model' }, (device) => propertyOf(device, 'model')),
    group: column('group', { sort: 'group', width: 112, phone: 'line', phoneCell: ({ group_name: name }) => name }, (device) => (
      <GroupCell device={device} />
    )),
    carrier: column('carrier', { width: 191, sort: 'carrier', phone: 'aside' }, (device) => <CarrierCell device={device} />),
    uptime: column('uptime', { width: 132, sort: 'uptime', numeric: true }, (device) => (
      <span className="mono">{formatUptime(device.presence === 'online' ? uptimeOf(device) : undefined)}</span>
    )),
    firmware: reported('firmware', { width: 106, sort: 'firmware' }, (device) => propertyOf(device, 'firmware')),
    config: reported('config', { sort: 'config', width: 140 }, (device) => propertyOf(device, 'config')),
    service: column('service', { width: 140, sort: 'service' }, (device) => <ServiceCell device={device} />),
    note: column('note', { width: 130, grow: true }, (device) => device.note),
    tags: column('tags', { optional: true, width: 180 }, (device) => device.tags.join(t('ui.between'))),
    expires: reported('expires', { width: 120, sort: 'expires' }, (device) => formatDay(device.expired)),
    lastSeen: column('lastSeen', { width: 120, optional: true, phone: 'line', phoneCell: lastContact }, (device) => (
      <RelativeTime moment={device.last_seen} />
    )),
    technology: reported('technology', { width: 120, optional: true }, (device) => device.cellular_technology),
    cycle: column('cycle', { width: 130, numeric: true, optional: true }, ({ device }) => (
      <LazyCycleUse of="devices" id={device} />
    )),
    added: column('added', { width: 190, optional: true }, (device) => <DateTime moment={device.device_created} />),
    health: column('health', { width: 110, sort: 'health', optional: true }, ({ health }) =>
      health === null ? <ReportedValue value={null} /> : <HealthScore score={health} />,
    ),
    diagnosis: column(
      'diagnosis',
      { width: 220, sort: 'diagnosis', optional: true, phone: 'line', phoneCell: diagnosisOf },
      ({ diagnosis }) => <DiagnosisCell kind={diagnosis} />,
    ),
    position: column('position', { width: 190, optional: true }, ({ position_at: at, estimated_position: estimated }) => (
      <PositionAge {...{ at, estimated }} />
    )),
    mac: identifier('mac', (device) => device.mac),
    imsi: identifier('imsi', (device) => device.cellular_imsi),
    iccid: identifier('iccid', (device) => device.cellular_iccid),
    imei: identifier('imei', (device) => device.cellular_imei),
    eid: identifier('eid', (device) => device.cellular_eid),
    mtn: identifier('mtn', (device) => device.cellular_mtn),
  } satisfies Record<string, Column<Device>>;
};

function plainColumns(t: TFunction): Column<Device>[] {
  return plainProperties.map((id) => ({
    id,
    header: t(`devices.column.${id}`),
    optional: true,
    cell: (device) => <ReportedValue value={propertyOf(device, id)} />,
  }));
}

/**
 * Columns of /devices/list (DEV-01); further SIM facts are in the column chooser.
 * @param viewLink with a link to each device's page, for lists whose rows cannot be clicked (DEV-03)
 * @param isDiagnosed the list is filtered or sorted by what was found, so that it is shown
 */
export function deviceColumns(t: TFunction, viewLink: boolean, isDiagnosed = false): readonly Column<Device>[] {
  const all = columnsByName(t);
  return [
    all.serial,
    all.presence,
    ...(isDiagnosed ? [{ ...all.diagnosis, optional: false }] : []),
    { ...all.service, cell: (device) => <ServiceLink device={device} /> },
    viewLink
      ? {
          ...all.vehicle,
          width: 176,
          cell: (device) => <VehicleLink device={device} />,
          phoneCell: (device) => <VehicleLink device={device} />,
        }
      : all.vehicle,
    all.model,
    all.group,
    all.carrier,
    all.uptime,
    all.firmware,
    all.config,
    all.note,
    all.tags,
    { ...all.expires, optional: true },
    ...detailColumns(t, all).filter(({ id }) => !isDiagnosed || id !== 'diagnosis'),
  ];
}

/** At the end of both lists, from the column chooser. */
function detailColumns(t: TFunction, all: ReturnType<typeof columnsByName>): readonly Column<Device>[] {
  return [
    all.diagnosis,
    all.health,
    all.position,
    all.cycle,
    all.lastSeen,
    all.technology,
    ...plainColumns(t),
    all.mac,
    all.imsi,
    all.iccid,
    all.imei,
    all.eid,
    all.mtn,
    all.added,
  ];
}

function unsorted({ sort: _sort, ...column }: Column<Device>): Column<Device> {
  return { ...column, optional: true };
}

/** Columns of /devices/orgList (OGL-01); those of an admin's list are in the column chooser (ATT-03). */
export function orgDeviceColumns(t: TFunction, organization: Column<Device>): readonly Column<Device>[] {
  const all = columnsByName(t);
  return [
    all.number,
    all.service,
    all.expires,
    all.serial,
    all.model,
    { ...organization, phone: 'line' },
    // Over all organizations these have no index to sort by.
    ...[all.presence, all.vehicle, all.uptime, all.firmware, all.config].map(unsorted),
    { ...unsorted(all.group), cell: ({ group_name: name }) => name },
    { ...all.carrier, optional: true },
    { ...all.note, optional: true },
    all.tags,
    ...detailColumns(t, all),
  ];
}

import { devices } from '@highline/contract';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import type { List } from '../../api/useList.ts';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { ReportedValue, Identifier } from '../../entities/devices/cells.tsx';
import { type Device, type DevicePage, fetchDevicesFile } from '../../entities/devices/devices.api.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';
import { overviewList } from './overview.lists.ts';

/** Columns of OVW-05. */
function simColumns(t: TFunction): readonly Column<Device>[] {
  const identifier = (id: 'imsi' | 'iccid' | 'mtn', read: (device: Device) => string | null): Column<Device> => ({
    id,
    header: t(`overview.column.${id}`),
    width: { imsi: 206, iccid: 250, mtn: 166 }[id],
    cell: (device) => <Identifier value={read(device)} label={t(`overview.column.${id}`)} />,
  });
  return [
    { id: 'number', header: '#', width: 56, cell: (_device, number) => <span className="dim">{number}</span> },
    {
      id: 'serial',
      header: t('overview.column.serial'),
      width: 190,
      sort: 'serial',
      pinned: true,
      phone: 'line',
      phoneCell: ({ serial_number: serial, vehicle_number: vehicle }) => (vehicle === '' ? '' : serial),
      cell: (device) => <Identifier value={device.serial_number} label={t('overview.column.serial')} strong />,
    },
    {
      id: 'vehicle',
      header: t('overview.column.vehicle'),
      sort: 'vehicle',
      width: 220,
      phone: 'title',
      phoneCell: vehicleName,
      cell: (device) => device.vehicle_number,
    },
    {
      id: 'carrier',
      phone: 'aside',
      header: t('overview.column.carrier'),
      width: 130,
      sort: 'carrier',
      cell: (device) => <ReportedValue value={device.cellular_mno} />,
    },
    identifier('imsi', (device) => device.cellular_imsi),
    { ...identifier('iccid', (device) => device.cellular_iccid), phone: 'line' },
    identifier('mtn', (device) => device.cellular_mtn),
    { id: 'note', header: t('overview.column.note'), width: 240, cell: (device) => device.note },
  ];
}

/** The table Devices and SIMs (OVW-05). */
export function SimTable({ list }: { list: List<typeof overviewList, Device, DevicePage> }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const columns = useMemo(() => simColumns(t), [t]);
  return (
    <DataTable
      id={overviewList.id}
      caption={t('overview.sims')}
      columns={columns}
      rowId={(device) => device.device}
      source={list.source}
      view={list.view}
      defaultSize={overviewList.defaultSize}
      onView={list.onView}
      tools={
        <div className="overview__table-head">
          <h2>{t('overview.sims')}</h2>
          {/* One item of the row, though it is two buttons. */}
          <span>
            <DownloadButton
              fileName="Devices_export.csv"
              list={{ id: overviewList.id, columns, known: devices.deviceExportColumns }}
              hasWorkbook
              fetchFile={(language, shown, format) =>
                fetchDevicesFile({ sort: list.state.search.sort, zone, language, layout: 'sims', columns: shown, format })
              }
            />
          </span>
        </div>
      }
    />
  );
}

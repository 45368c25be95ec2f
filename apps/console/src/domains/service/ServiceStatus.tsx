import { devices } from '@highline/contract';
import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { highlight } from '../../api/highlights.ts';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import type { Column } from '../../ui/table/column.ts';
import { useZone } from '../../ui/time/zone.ts';
import { ReportedValue, ServiceCell } from '../devices/cells.tsx';
import { type Device, fetchDevices, fetchDevicesFile } from '../devices/devices.api.ts';
import { expirationFilter, serviceFilter } from '../devices/filters.ts';
import { useGroupFilter } from '../devices/useGroupFilter.ts';
import { serviceList } from './service.lists.ts';

const idOf = (device: Device) => device.device;

/** The serial number leads to the device list, which opens at that device and marks it for 60 s. */
function serviceColumns(t: TFunction): readonly Column<Device>[] {
  return [
    {
      id: 'serial',
      header: t('devices.column.serial'),
      sort: 'serial',
      pinned: true,
      cell: ({ device, serial_number: serial }) => (
        <Link
          to="/devices/list"
          search={{}}
          className="mono strong"
          aria-label={t('service.showDevice', { serial })}
          onClick={() => highlight('devices', [device])}
        >
          {serial}
        </Link>
      ),
    },
    { id: 'service', header: t('devices.column.service'), sort: 'service', cell: (device) => <ServiceCell device={device} /> },
    {
      id: 'expires',
      header: t('devices.column.expires'),
      sort: 'expires',
      cell: ({ expired }) => <ReportedValue value={expired} />,
    },
    { id: 'group', header: t('devices.column.group'), sort: 'group', clip: 240, cell: (device) => device.group_name },
    { id: 'note', header: t('devices.column.note'), clip: 240, cell: (device) => device.note },
  ];
}

/** /devices/service: the subscription state of each device (SVC-01). */
export function ServiceStatus(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const columns = useMemo(() => serviceColumns(t), [t]);
  const list = useList({
    spec: serviceList,
    topics: ['devices', 'groups'],
    key: [zone],
    fetchPage: (query, signal) => fetchDevices({ ...query, zone }, signal),
  });
  const { search } = list.state;
  return (
    <ListPage
      list={list}
      title={t('service.title')}
      count={(count, shown) => t('devices.count', { count, shown })}
      actions={
        <>
          <Button
            leftSection={<IconBell size={16} />}
            renderRoot={(props) => <Link to="/devices/service/noitify" search={{}} {...props} />}
          >
            {t('notifications.title')}
          </Button>
          <DownloadButton
            fileName="Service_export.csv"
            list={{ id: serviceList.id, columns, known: devices.deviceExportColumns }}
            fetchFile={(language, shown) =>
              fetchDevicesFile({ ...list.state.query, zone, language, layout: 'service', columns: shown })
            }
          />
        </>
      }
      caption={t('service.caption')}
      columns={columns}
      rowId={idOf}
      fieldLabel={(field) => t(`service.field.${field}`)}
      filters={[serviceFilter(t, search.service), expirationFilter(t, search.expiration), useGroupFilter(search.group)]}
    />
  );
}

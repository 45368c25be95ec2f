import { daysUntilEnd, devices } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { highlight } from '../../api/highlights.ts';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { formatDay, isoFromDay } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { BulkBar } from '../bulk-jobs/index.ts';
import { filterOfList } from '../../entities/devices/list-filter.ts';
import { subscriptionOf } from '../../entities/devices/device.ts';
import { ReportedValue, ServiceCell } from '../../entities/devices/cells.tsx';
import { type Device, fetchDevices, fetchDevicesFile } from '../../entities/devices/devices.api.ts';
import { expirationFilter, serviceFilter } from '../../entities/devices/filters.ts';
import { useGroupFilter } from '../../entities/groups/useGroupFilter.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';
import { serviceList } from './service.lists.ts';

const idOf = (device: Device) => device.device;

/** The last day of a subscription; of one that is expiring, how many days are left. */
function Expires({ device: { expired: day, subscription_status: state } }: { device: Device }): ReactNode {
  const { t } = useTranslation();
  const left = daysUntilEnd(isoFromDay(day ?? ''), useNow());
  const isSoon = subscriptionOf(state) === 'expiring' && left >= 0;
  return (
    <>
      <ReportedValue value={day === null ? null : formatDay(day)} />
      {isSoon && <span className="dim"> {left === 0 ? t('service.endsToday') : t('service.daysLeft', { count: left })}</span>}
    </>
  );
}

/** The serial number leads to the device list, which opens at that device and marks it for 60 s. */
function serviceColumns(t: TFunction): readonly Column<Device>[] {
  return [
    {
      id: 'serial',
      header: t('devices.column.serial'),
      width: 190,
      sort: 'serial',
      pinned: true,
      phone: 'title',
      phoneCell: vehicleName,
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
    {
      id: 'service',
      header: t('devices.column.service'),
      width: 160,
      sort: 'service',
      phone: 'line',
      cell: (device) => <ServiceCell device={device} />,
    },
    {
      id: 'expires',
      header: t('devices.column.expires'),
      width: 220,
      sort: 'expires',
      phone: 'line',
      cell: (device) => <Expires device={device} />,
    },
    {
      id: 'group',
      header: t('devices.column.group'),
      sort: 'group',
      width: 240,
      phone: 'line',
      cell: (device) => device.group_name,
    },
    { id: 'note', header: t('devices.column.note'), width: 240, cell: (device) => device.note },
  ];
}

/** /devices/service: the subscription state of each device (SVC-01). */
export function ServiceStatus(): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const zone = useZone();
  const columns = useMemo(() => serviceColumns(t), [t]);
  const selection = useSelection(idOf, undefined, 'always', vehicleName);
  const list = useList({
    spec: serviceList,
    topics: ['devices', 'groups'],
    key: [zone],
    fetchPage: (query, signal) => fetchDevices({ ...query, zone }, signal),
  });
  const { search } = list.state;
  const file = { id: serviceList.id, columns, known: devices.deviceExportColumns };
  return (
    <ListPage
      list={list}
      title={t('service.title')}
      count={(count, shown) => t('devices.count', { count, shown })}
      actions={
        <>
          {isPageOpen(session, '/devices/service/noitify') && (
            <Button
              leftSection={<IconBell size={16} />}
              renderRoot={(props) => <Link to="/devices/service/noitify" search={{}} {...props} />}
            >
              {t('notifications.title')}
            </Button>
          )}
          <DownloadButton
            fileName="Service_export.csv"
            list={file}
            hasWorkbook
            fetchFile={(language, shown, format) =>
              fetchDevicesFile({ ...list.state.query, zone, language, layout: 'service', columns: shown, format })
            }
          />
        </>
      }
      caption={t('service.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={
        <BulkBar
          selection={selection}
          filter={filterOfList({ ...list.state.query, zone })}
          total={list.response?.total ?? 0}
          layout="devices"
          list={file}
          reload={list.reload}
        />
      }
      fieldLabel={(field) => (field === 'any' ? t('devices.field.any') : t(`service.field.${field}`))}
      filters={[serviceFilter(t, search.service), expirationFilter(t, search.expiration), useGroupFilter(search.group)]}
    />
  );
}

import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { highlight } from '../../api/highlights.ts';
import { ListStatus } from '../../api/ListStatus.tsx';
import { type List, useList } from '../../api/useList.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { Heard, ServiceCell } from '../devices/cells.tsx';
import { type Device, type DevicePage, fetchDevices, fetchDevicesFile, groupsQuery } from '../devices/devices.api.ts';
import { expirationOptions, serviceOptions } from '../devices/options.ts';
import { serviceList } from './service.lists.ts';

type Services = List<typeof serviceList, Device, DevicePage>;

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
    { id: 'expires', header: t('devices.column.expires'), sort: 'expires', cell: ({ expired }) => <Heard value={expired} /> },
    { id: 'group', header: t('devices.column.group'), sort: 'group', cell: (device) => device.group_name },
    { id: 'note', header: t('devices.column.note'), clip: 240, cell: (device) => device.note },
  ];
}

function Tools({ list, columns }: { list: Services; columns: readonly Column<Device>[] }): ReactNode {
  const { t } = useTranslation();
  const groups = useQuery(groupsQuery()).data ?? [];
  const { search, change, clear } = list.state;
  return (
    <FilterBar
      search={{
        fields: serviceList.fields.map((field) => ({ value: field, label: t(`service.field.${field}`) })),
        field: search.field ?? 'serial',
        value: search.search,
        onSearch: (field, text) => change({ field: field as typeof search.field, search: text }, true),
      }}
      filters={[
        { name: 'service', label: t('devices.filter.service'), value: search.service, options: serviceOptions(t) },
        { name: 'expiration', label: t('devices.filter.expiration'), value: search.expiration, options: expirationOptions(t) },
        {
          name: 'group',
          label: t('devices.filter.group'),
          value: search.group,
          options: [
            { value: '', label: t('devices.filter.allGroups') },
            ...groups.map(({ group, groupName }) => ({ value: group, label: groupName })),
          ],
        },
      ]}
      onFilter={(name, value) => change({ [name]: value })}
      onClear={clear}
    >
      <ColumnChooser id={serviceList.id} columns={columns} />
    </FilterBar>
  );
}

function Sub({ list }: { list: Services }): ReactNode {
  const { t } = useTranslation();
  const total = list.answer?.total;
  if (total === undefined) return <span>&nbsp;</span>;
  return (
    <>
      {t('devices.count', { count: total, shown: formatNumber(total) })} · <ListStatus updatedAt={list.updatedAt} />
    </>
  );
}

/** /devices/service: where each device's subscription stands (SVC-01). */
export function ServiceStatus(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const language = useLanguage();
  const columns = useMemo(() => serviceColumns(t), [t]);
  const list: Services = useList({
    spec: serviceList,
    topics: ['devices', 'groups'],
    key: [zone],
    fetchPage: (page, { search }, signal) => fetchDevices(search, zone, page, signal),
  });
  return (
    <div className="page page--list">
      <PageHeader
        title={t('service.title')}
        sub={<Sub list={list} />}
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
              fetchFile={() => fetchDevicesFile(list.state.search, zone, language, 'service')}
            />
          </>
        }
      />
      <DataTable
        id={serviceList.id}
        caption={t('service.caption')}
        columns={columns}
        rowId={idOf}
        source={list.source}
        view={list.view}
        defaultSize={serviceList.defaultSize}
        onView={list.onView}
        filtered={list.state.filtered}
        onClearFilters={list.state.clear}
        highlighted={list.highlighted}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

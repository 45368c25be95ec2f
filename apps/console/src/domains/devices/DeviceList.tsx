import { useQuery } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListStatus } from '../../api/ListStatus.tsx';
import { type List, useList } from '../../api/useList.ts';
import { useSession } from '../../app/session/session.ts';
import type { Filter } from '../../ui/filter/filter.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { useLanguage } from '../../ui/language.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { deviceColumns } from './columns.tsx';
import { DeleteActions } from './DeleteActions.tsx';
import { type Device, type DevicePage, fetchDevices, fetchDevicesFile, groupsQuery } from './devices.api.ts';
import { deviceList } from './devices.lists.ts';
import { serviceOptions } from './options.ts';

type Devices = List<typeof deviceList, Device, DevicePage>;

const idOf = (device: Device) => device.device;

function useFilters(list: Devices): readonly Filter[] {
  const { t } = useTranslation();
  const groups = useQuery(groupsQuery()).data ?? [];
  const { search } = list.state;
  const filters: Filter[] = [
    { name: 'service', label: t('devices.filter.service'), value: search.service, options: serviceOptions(t) },
    {
      name: 'presence',
      label: t('devices.filter.presence'),
      value: search.presence,
      options: [
        { value: '', label: t('devices.filter.allPresence') },
        { value: 'online', label: t('devices.presence.online') },
        { value: 'offline', label: t('devices.presence.offline') },
      ],
    },
    {
      name: 'group',
      label: t('devices.filter.group'),
      value: search.group,
      options: [
        { value: '', label: t('devices.filter.allGroups') },
        ...groups.map(({ group, groupName }) => ({ value: group, label: groupName })),
      ],
    },
  ];
  // The overview leads here with a carrier; there is no list of all carriers to choose from.
  const carrier = search.carrier;
  const byCarrier: Filter = {
    name: 'carrier',
    label: t('devices.filter.carrier'),
    value: carrier,
    options: [
      { value: '', label: t('devices.filter.allCarriers') },
      ...(carrier === undefined ? [] : [{ value: carrier, label: carrier }]),
    ],
  };
  return carrier === undefined ? filters : [...filters, byCarrier];
}

function Tools({ list, columns }: { list: Devices; columns: ReturnType<typeof deviceColumns> }): ReactNode {
  const { t } = useTranslation();
  const filters = useFilters(list);
  const { search, change, clear } = list.state;
  return (
    <FilterBar
      search={{
        fields: deviceList.fields.map((field) => ({ value: field, label: t(`devices.field.${field}`) })),
        field: search.field ?? 'serial',
        value: search.search,
        onSearch: (field, text) => change({ field: field as typeof search.field, search: text }, true),
      }}
      filters={filters}
      onFilter={(name, value) => change({ [name]: value })}
      onClear={clear}
    >
      <ColumnChooser id={deviceList.id} columns={columns} />
    </FilterBar>
  );
}

function Sub({ list }: { list: Devices }): ReactNode {
  const { t } = useTranslation();
  const { answer, updatedAt } = list;
  if (answer === undefined) return <span>&nbsp;</span>;
  return (
    <>
      {t('devices.count', { count: answer.total, shown: formatNumber(answer.total) })}
      {answer.online !== undefined && ` · ${t('devices.online', { shown: formatNumber(answer.online) })}`}
      {' · '}
      <ListStatus updatedAt={updatedAt} />
    </>
  );
}

/** /devices/list: every device of the organization, live (DEV-01 … 04, DEV-08, DEV-09). */
export function DeviceList(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const zone = useZone();
  const language = useLanguage();
  const navigate = useNavigate();
  const columns = useMemo(() => deviceColumns(t), [t]);
  const selection = useSelection(idOf);
  const list: Devices = useList({
    spec: deviceList,
    topics: ['devices', 'groups'],
    key: [zone],
    highlight: 'devices',
    fetchPage: (page, { search }, signal) => fetchDevices(search, zone, page, signal),
  });

  return (
    <div className="page page--list">
      <PageHeader
        title={t('devices.title')}
        sub={<Sub list={list} />}
        actions={
          <>
            <DownloadButton
              fileName="Devices_export.csv"
              fetchFile={() => fetchDevicesFile(list.state.search, zone, language, 'devices')}
            />
            <DeleteActions
              selection={selection}
              reload={list.reload}
              notAllowed={role === 'admin' ? undefined : t('devices.remove.notAllowed')}
            />
            {role === 'admin' && (
              <Button
                variant="filled"
                leftSection={<IconPlus size={16} />}
                renderRoot={(props) => <Link to="/devices/add" search={{}} {...props} />}
              >
                {t('deviceForms.addDevice')}
              </Button>
            )}
          </>
        }
      />
      <DataTable
        id={deviceList.id}
        caption={t('devices.caption')}
        columns={columns}
        rowId={idOf}
        source={list.source}
        view={list.view}
        defaultSize={deviceList.defaultSize}
        onView={list.onView}
        filtered={list.state.filtered}
        onClearFilters={list.state.clear}
        highlighted={list.highlighted}
        onOpen={
          role === 'admin' ? (device) => void navigate({ to: '/devices/setting', search: { device: device.device } }) : undefined
        }
        selection={selection}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListCount } from '../../api/ListCount.tsx';
import { ListTools } from '../../api/ListTools.tsx';
import { type List, tableOf, useList } from '../../api/useList.ts';
import { useSession } from '../../session/session.ts';
import type { Filter } from '../../ui/filter/filter.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { deviceColumns } from './columns.tsx';
import { DeleteActions } from './DeleteActions.tsx';
import { type Device, type DevicePage, fetchDevices, fetchDevicesFile } from './devices.api.ts';
import { deviceList } from './devices.lists.ts';
import { serviceOptions } from './options.ts';
import { useGroupFilter } from './useGroupFilter.ts';

type Devices = List<typeof deviceList, Device, DevicePage>;

const idOf = (device: Device) => device.device;

function useFilters(list: Devices): readonly Filter[] {
  const { t } = useTranslation();
  const { search } = list.state;
  const byGroup = useGroupFilter(search.group);
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
    byGroup,
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
  return (
    <ListTools
      spec={deviceList}
      list={list}
      columns={columns}
      fieldLabel={(field) => t(`devices.field.${field}`)}
      filters={filters}
    />
  );
}

/** How many there are, and how many of them are online. */
function Sub({ list }: { list: Devices }): ReactNode {
  const { t } = useTranslation();
  const online = list.answer?.online;
  const more = online === undefined ? '' : ` · ${t('devices.online', { shown: formatNumber(online) })}`;
  return <ListCount list={list} text={(count, shown) => t('devices.count', { count, shown }) + more} />;
}

/** /devices/list: every device of the organization, live (DEV-01 … 04, DEV-08, DEV-09). */
export function DeviceList(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const zone = useZone();
  const navigate = useNavigate();
  const isAdmin = role === 'admin';
  const columns = useMemo(() => deviceColumns(t, !isAdmin), [t, isAdmin]);
  const selection = useSelection(idOf);
  const list: Devices = useList({
    spec: deviceList,
    topics: ['devices', 'groups'],
    key: [zone],
    highlight: 'devices',
    fetchPage: (query, signal) => fetchDevices({ ...query, zone }, signal),
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
              fetchFile={(language) => fetchDevicesFile({ ...list.state.query, zone, language, layout: 'devices' })}
            />
            <DeleteActions
              selection={selection}
              reload={list.reload}
              notAllowed={isAdmin ? undefined : t('devices.remove.notAllowed')}
            />
            {isAdmin && (
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
        {...tableOf(deviceList, list)}
        caption={t('devices.caption')}
        columns={columns}
        rowId={idOf}
        onOpen={isAdmin ? (device) => void navigate({ to: '/devices/setting', search: { device: device.device } }) : undefined}
        selection={selection}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

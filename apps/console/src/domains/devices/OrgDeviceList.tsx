import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListCount } from '../../api/ListCount.tsx';
import { ListTools } from '../../api/ListTools.tsx';
import { type List, tableOf, useList } from '../../api/useList.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { organizationQuery } from '../organizations/organizations.api.ts';
import { orgDeviceColumns } from './columns.tsx';
import { type Device, type DevicePage, fetchDevices, fetchDevicesFile } from './devices.api.ts';
import { orgDeviceList } from './devices.lists.ts';
import { expirationOptions, serviceOptions } from './options.ts';
import { TransferActions } from './transfer/TransferActions.tsx';

type Devices = List<typeof orgDeviceList, Device, DevicePage>;

const idOf = (device: Device) => device.device;

/** The organization of a row; it links to the list filtered by that organization (OGL-03). */
function organizationColumn(header: string): Column<Device> {
  return {
    id: 'organization',
    header,
    sort: 'organization',
    clip: 240,
    cell: (device) => (
      <Link to="/devices/orgList" search={{ org: device.org }}>
        {device.projectName}
      </Link>
    ),
  };
}

function Tools({ list, columns }: { list: Devices; columns: readonly Column<Device>[] }): ReactNode {
  const { t } = useTranslation();
  const { search } = list.state;
  return (
    <ListTools
      spec={orgDeviceList}
      list={list}
      columns={columns}
      fieldLabel={(field) => t(`devices.field.${field}`)}
      filters={[
        { name: 'service', label: t('devices.filter.service'), value: search.service, options: serviceOptions(t) },
        { name: 'expiration', label: t('devices.filter.expiration'), value: search.expiration, options: expirationOptions(t) },
      ]}
    />
  );
}

/** /devices/orgList: the devices of every organization of the main account, or of the chosen one (OGL-01 … 04). */
export function OrgDeviceList(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const zone = useZone();
  const columns = useMemo(() => orgDeviceColumns(t, organizationColumn(t('devices.column.organization'))), [t]);
  const selection = useSelection(idOf);
  const list: Devices = useList({
    spec: orgDeviceList,
    topics: ['devices', 'organizations'],
    key: [zone],
    highlight: 'devices',
    fetchPage: (query, signal) => fetchDevices({ ...query, zone }, signal),
  });
  const chosen = list.state.search.org;
  const organization = useQuery(organizationQuery(chosen)).data;

  return (
    <div className="page page--list">
      <PageHeader
        title={chosen === undefined ? t('devices.title') : (organization?.name ?? t('devices.title'))}
        back={
          chosen !== undefined && (
            <Link to="/devices/orgList" search={{}}>
              {t('devices.allDevices')}
            </Link>
          )
        }
        sub={<ListCount list={list} text={(count, shown) => t('devices.count', { count, shown })} />}
        actions={
          <>
            <DownloadButton
              fileName="Devices_export.csv"
              fetchFile={(language) => fetchDevicesFile({ ...list.state.query, zone, language, layout: 'organizations' })}
            />
            <TransferActions selection={selection} reload={list.reload} />
            <Button
              variant="filled"
              leftSection={<IconPlus size={16} />}
              renderRoot={(props) => <Link to="/devices/add" search={chosen === undefined ? {} : { org: chosen }} {...props} />}
            >
              {t('deviceForms.addDevice')}
            </Button>
          </>
        }
      />
      <DataTable
        {...tableOf(orgDeviceList, list)}
        caption={t('devices.caption')}
        columns={columns}
        rowId={idOf}
        onOpen={({ device }) => void navigate({ to: '/devices/setting', search: { device } })}
        selection={selection}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

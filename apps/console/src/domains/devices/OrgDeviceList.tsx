import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListStatus } from '../../api/ListStatus.tsx';
import { type List, useList } from '../../api/useList.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { useLanguage } from '../../ui/language.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { organizationQuery } from '../organizations/organizations.api.ts';
import { orgDeviceColumns } from './columns.tsx';
import { type Device, type DevicePage, fetchDevices, fetchDevicesFile } from './devices.api.ts';
import { orgDeviceList } from './devices.lists.ts';
import { expirationOptions, serviceOptions } from './options.ts';
import { TransferActions } from './transfer/TransferActions.tsx';

type Devices = List<typeof orgDeviceList, Device, DevicePage>;

const idOf = (device: Device) => device.device;

/** The organization of a row; it leads to the list of that organization alone (OGL-03). */
function organizationColumn(header: string): Column<Device> {
  return {
    id: 'organization',
    header,
    sort: 'organization',
    cell: (device) => (
      <Link to="/devices/orgList" search={{ org: device.org }}>
        {device.projectName}
      </Link>
    ),
  };
}

function Tools({ list, columns }: { list: Devices; columns: readonly Column<Device>[] }): ReactNode {
  const { t } = useTranslation();
  const { search, change, clear } = list.state;
  return (
    <FilterBar
      search={{
        fields: orgDeviceList.fields.map((field) => ({ value: field, label: t(`devices.field.${field}`) })),
        field: search.field ?? 'serial',
        value: search.search,
        onSearch: (field, text) => change({ field: field as typeof search.field, search: text }, true),
      }}
      filters={[
        { name: 'service', label: t('devices.filter.service'), value: search.service, options: serviceOptions(t) },
        { name: 'expiration', label: t('devices.filter.expiration'), value: search.expiration, options: expirationOptions(t) },
      ]}
      onFilter={(name, value) => change({ [name]: value })}
      onClear={clear}
    >
      <ColumnChooser id={orgDeviceList.id} columns={columns} />
    </FilterBar>
  );
}

function Sub({ list }: { list: Devices }): ReactNode {
  const { t } = useTranslation();
  const total = list.answer?.total;
  if (total === undefined) return <span>&nbsp;</span>;
  return (
    <>
      {t('devices.count', { count: total, shown: formatNumber(total) })} · <ListStatus updatedAt={list.updatedAt} />
    </>
  );
}

/** /devices/orgList: the devices of every organization of the main account, or of the chosen one (OGL-01 … 04). */
export function OrgDeviceList(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const zone = useZone();
  const language = useLanguage();
  const columns = useMemo(() => orgDeviceColumns(t, organizationColumn(t('devices.column.organization'))), [t]);
  const selection = useSelection(idOf);
  const list: Devices = useList({
    spec: orgDeviceList,
    topics: ['devices', 'organizations'],
    key: [zone],
    highlight: 'devices',
    fetchPage: (page, { search }, signal) => fetchDevices(search, zone, page, signal),
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
        sub={<Sub list={list} />}
        actions={
          <>
            <DownloadButton
              fileName="Devices_export.csv"
              fetchFile={() => fetchDevicesFile(list.state.search, zone, language, 'organizations')}
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
        id={orgDeviceList.id}
        caption={t('devices.caption')}
        columns={columns}
        rowId={idOf}
        source={list.source}
        view={list.view}
        defaultSize={orgDeviceList.defaultSize}
        onView={list.onView}
        filtered={list.state.filtered}
        onClearFilters={list.state.clear}
        highlighted={list.highlighted}
        onOpen={({ device }) => void navigate({ to: '/devices/setting', search: { device } })}
        selection={selection}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

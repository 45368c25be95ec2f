import { devices } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { useZone } from '../../ui/time/zone.ts';
import { BulkBar } from '../bulk-jobs/index.ts';
import { organizationQuery } from '../../entities/organizations/organization.api.ts';
import { orgDeviceColumns } from './columns.tsx';
import { type Device, fetchDevices, fetchDevicesFile } from '../../entities/devices/devices.api.ts';
import { organizationDeviceList, orgDeviceList } from '../../entities/devices/devices.lists.ts';
import { attentionFilters, expirationFilter, presenceFilter, serviceFilter } from '../../entities/devices/filters.ts';
import { filterOfList } from '../../entities/devices/list-filter.ts';
import { useTagFilter } from '../../entities/devices/useTagFilter.ts';
import { useGroupFilter } from '../../entities/groups/useGroupFilter.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';
import { TransferActions } from './transfer/TransferActions.tsx';

const idOf = (device: Device) => device.device;
/** The organization of a row; it links to the list filtered by that organization (OGL-03). */
function organizationColumn(header: string): Column<Device> {
  return {
    id: 'organization',
    header,
    sort: 'organization',
    width: 240,
    cell: (device) => (
      <Link to="/devices/orgList" search={{ org: device.org }}>
        {device.projectName}
      </Link>
    ),
  };
}

/**
 * /devices/orgList: the devices of every organization of the main account, or of the chosen one (OGL-01 … 04).
 * @param isPart of the page of the chosen organization (ATT-03)
 */
export function OrgDeviceList({ isPart = false }: { isPart?: boolean }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const mayAdd = useNotAllowed('devices.add') === undefined;
  const columns = useMemo(() => {
    const all = orgDeviceColumns(t, organizationColumn(t('devices.column.organization')));
    return isPart ? all.filter(({ id }) => id !== 'organization') : all;
  }, [t, isPart]);
  const selection = useSelection(idOf, undefined, 'always', vehicleName);
  const list = useList({
    spec: isPart ? organizationDeviceList : orgDeviceList,
    topics: ['devices', 'organizations'],
    key: [zone],
    highlight: 'devices',
    fetchPage: (query, signal) => fetchDevices({ ...query, zone }, signal),
  });
  const { search } = list.state;
  const chosen = search.org;
  const organization = useQuery(organizationQuery(chosen)).data;
  const tagFilter = useTagFilter(search.tag, chosen);
  const groupFilter = useGroupFilter(search.group, chosen);

  const file = { id: orgDeviceList.id, columns, known: devices.deviceExportColumns };
  return (
    <ListPage
      list={list}
      isPart={isPart}
      title={chosen === undefined ? t('devices.title') : (organization?.name ?? t('devices.title'))}
      back={
        chosen !== undefined && (
          <Link to="/devices/orgList" search={{}}>
            {t('devices.allDevices')}
          </Link>
        )
      }
      count={(count, shown) => t('devices.count', { count, shown })}
      actions={
        <>
          <DownloadButton
            fileName="Devices_export.csv"
            list={file}
            hasWorkbook
            fetchFile={(language, shown, format) =>
              fetchDevicesFile({ ...list.state.query, zone, language, layout: 'organizations', columns: shown, format })
            }
          />
          <TransferActions selection={selection} reload={list.reload} />
          {mayAdd && (
            <Button
              variant="filled"
              leftSection={<IconPlus size={16} />}
              renderRoot={(props) => <Link to="/devices/add" search={chosen === undefined ? {} : { org: chosen }} {...props} />}
            >
              {t('deviceForms.addDevice')}
            </Button>
          )}
        </>
      }
      caption={t('devices.caption')}
      columns={columns}
      rowId={idOf}
      linkOf={({ device }) => ({ to: '/devices/setting', search: { device } })}
      selection={selection}
      bar={
        <BulkBar
          selection={selection}
          filter={filterOfList({ ...list.state.query, zone })}
          total={list.response?.total ?? 0}
          org={chosen}
          layout="organizations"
          list={file}
          reload={list.reload}
        />
      }
      fieldLabel={(field) => t(`devices.field.${field}`)}
      filters={[
        serviceFilter(t, search.service),
        presenceFilter(t, search.presence),
        ...attentionFilters(t, search),
        expirationFilter(t, search.expiration),
        tagFilter,
        // Groups are those of one organization.
        ...(chosen === undefined && search.group === undefined ? [] : [groupFilter]),
      ]}
    />
  );
}

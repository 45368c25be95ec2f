import { devices } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { type List, useList } from '../../api/useList.ts';
import { useRoleFor } from '../../api/session.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import type { Filter } from '../../ui/filter/filter.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { BulkBar } from '../bulk-jobs/index.ts';
import { deviceColumns } from './columns.tsx';
import { DeleteDevices } from './DeleteDevices.tsx';
import { type Device, type DevicePage, fetchDevices, fetchDevicesFile } from '../../entities/devices/devices.api.ts';
import { deviceList } from '../../entities/devices/devices.lists.ts';
import { useGeofenceFilter } from '../../entities/geofences/useGeofenceFilter.ts';
import { attentionFilters, carrierFilter, presenceFilter, serviceFilter } from '../../entities/devices/filters.ts';
import { filterOfList } from '../../entities/devices/list-filter.ts';
import { useGroupFilter } from '../../entities/groups/useGroupFilter.ts';
import { useTagFilter } from '../../entities/devices/useTagFilter.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';

type Devices = List<typeof deviceList, Device, DevicePage>;

const idOf = (device: Device) => device.device;
function useFilters(list: Devices): readonly Filter[] {
  const { t } = useTranslation();
  const { search } = list.state;
  return [
    serviceFilter(t, search.service),
    presenceFilter(t, search.presence),
    ...attentionFilters(t, search),
    useGroupFilter(search.group),
    useTagFilter(search.tag),
    ...useGeofenceFilter(search.geofence, true),
    ...carrierFilter(t, search.carrier),
  ];
}

/** /devices/list: every device of the organization, live (DEV-01 … 04, DEV-08, DEV-09). */
export function DeviceList(): ReactNode {
  const { t } = useTranslation();
  const role = useRoleFor('devices');
  const zone = useZone();
  const isAdmin = role === 'admin';
  const notAllowed = useNotAllowed('devices.delete', t('devices.remove.notAllowed'));
  const mayAdd = useNotAllowed('devices.add') === undefined;
  const selection = useSelection(idOf, undefined, 'always', vehicleName);
  const list = useList({
    spec: deviceList,
    topics: ['devices', 'geofences', 'groups'],
    key: [zone],
    highlight: 'devices',
    fetchPage: (query, signal) => fetchDevices({ ...query, zone }, signal),
  });

  const { diagnosis, sort } = list.state.search;
  const isDiagnosed = diagnosis !== undefined || sort?.endsWith('diagnosis') === true;
  const columns = useMemo(() => deviceColumns(t, !isAdmin, isDiagnosed), [t, isAdmin, isDiagnosed]);
  const { online } = list.response ?? {};
  const shownOnline = online === undefined ? '' : ` · ${t('devices.online', { shown: formatNumber(online) })}`;
  const file = { id: deviceList.id, columns, known: devices.deviceExportColumns };
  return (
    <ListPage
      list={list}
      title={t('devices.title')}
      count={(count, shown) => t('devices.count', { count, shown }) + shownOnline}
      actions={
        <>
          <DownloadButton
            fileName="Devices_export.csv"
            list={file}
            hasWorkbook
            fetchFile={(language, shown, format) =>
              fetchDevicesFile({ ...list.state.query, zone, language, layout: 'devices', columns: shown, format })
            }
          />
          <DeleteDevices selection={selection} reload={list.reload} notAllowed={notAllowed} />
          {mayAdd && (
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
      caption={t('devices.caption')}
      emptyAction={
        mayAdd && (
          <Button renderRoot={(props) => <Link to="/devices/add" search={{}} {...props} />}>{t('deviceForms.first')}</Button>
        )
      }
      columns={columns}
      rowId={idOf}
      linkOf={isAdmin ? ({ device }) => ({ to: '/devices/setting', search: { device } }) : undefined}
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
      fieldLabel={(field) => t(`devices.field.${field}`)}
      filters={useFilters(list)}
    />
  );
}

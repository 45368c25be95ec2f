import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListBar } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useRoleFor, useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useList } from '../../api/useList.ts';
import { type Job, startJob } from '../../entities/jobs/bulk-jobs.api.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Choices } from '../../ui/chart/Choices.tsx';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { sentences } from '../../ui/sentences.ts';
import { toast } from '../../ui/toasts.ts';
import { backupSettingsQuery, fetchOverdue, type OverdueDevice, type StoredBackupSettings } from './backups.api.ts';
import { overdueList } from './backups.lists.ts';
import { SettingsDialog } from './SettingsDialog.tsx';
import './router-backups.css';

/** Hours that the commands of many wait for routers that are not connected. */
const WAIT_HOURS = 168;
const dayChoices = ['1', '7', '30', '90'] as const;
const USUAL_DAYS = '7';

const idOf = ({ device }: OverdueDevice) => device;
const vehicleOf = ({ vehicle_number: vehicle, serial_number: serial }: OverdueDevice) => (vehicle === '' ? serial : vehicle);

function overdueColumns(t: TFunction): readonly Column<OverdueDevice>[] {
  const stateText = ({ online }: OverdueDevice) => t(online ? 'routerBackups.online' : 'routerBackups.offline');
  return [
    {
      id: 'device',
      phone: 'title',
      pinned: true,
      header: t('devices.column.vehicle'),
      width: 200,
      text: vehicleOf,
      cell: (row) => (
        <Link to="/devices/setting" search={{ device: row.device, tab: 'settings' }}>
          {vehicleOf(row)}
        </Link>
      ),
    },
    {
      id: 'last',
      phone: 'line',
      header: t('routerBackups.last'),
      width: 260,
      text: ({ last }) => last ?? t('routerBackups.never'),
      cell: ({ last, offered }) => (
        <>
          {last === null ? t('routerBackups.never') : <DateTime moment={new Date(last)} />}
          {offered === false && <div className="dim">{t('routerBackups.notOffered')}</div>}
        </>
      ),
    },
    {
      id: 'state',
      phone: 'state',
      header: t('routerBackups.state'),
      width: 140,
      text: stateText,
      cell: (row) => <StatusDot tone={row.online ? 'ok' : 'idle'}>{stateText(row)}</StatusDot>,
    },
    {
      id: 'serial',
      header: t('devices.column.serial'),
      width: 180,
      text: ({ serial_number: serial }) => serial,
      cell: ({ serial_number: serial }) => <span className="mono">{serial}</span>,
    },
  ];
}

/** Backs up the selected routers, as a job. */
function BackUpChosen({ selection, reload }: { selection: Selection<OverdueDevice>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('commands') === 'admin';
  const able = [...selection.selected.values()].filter(({ offered }) => offered !== false);
  const begin = useAction<void, Job>({
    run: () =>
      startJob(
        { selection: { devices: able.map(idOf) }, count: able.length },
        { kind: 'send', send: 'backup-config', wait: WAIT_HOURS },
      ),
    onDone: (job) => {
      toast(t('routerBackups.manyBegun', { count: job.total }));
      selection.leave();
      reload();
    },
  });
  const reason = able.length === 0 ? t('routerBackups.noneAble') : undefined;
  return (
    <ActionButton
      loading={begin.busy}
      disabledReason={isAdmin ? reason : t('routerBackups.adminsOnly')}
      onClick={() => begin.run()}
    >
      {t('routerBackups.backUp')}
    </ActionButton>
  );
}

/** What the list shows, and whether routers are backed up by themselves; or why that has ended. */
function Nightly({ settings }: { settings: StoredBackupSettings | undefined }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  if (settings === undefined) return <p className="dim">{t('routerBackups.pageText')}</p>;
  const { nightly, hour, zone: zoneOfNight, by, stopped } = settings;
  if (stopped !== null)
    return (
      <>
        <p className="dim">{t('routerBackups.pageText')}</p>
        <p className="note note--bad" role="alert">
          <IconAlertTriangle size={18} />
          {t('routerBackups.nightlyStopped', { time: formatDateTime(new Date(stopped), zone), by })}
        </p>
      </>
    );
  const time = `${String(hour).padStart(2, '0')}:00`;
  return (
    <p className="dim">
      {sentences([
        t('routerBackups.pageText'),
        nightly ? t('routerBackups.nightlyOn', { time, zone: zoneOfNight, by }) : t('routerBackups.nightlyOff'),
      ])}
    </p>
  );
}

/** /backups: devices without a recent backup, and when routers are backed up by themselves (TPL-06). */
export function OverdueList(): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('routerBackups') === 'admin';
  // They are of the whole organization.
  const limited = useSession().limitedTo === null ? undefined : t('errors.permission_limited');
  const columns = useMemo(() => overdueColumns(t), [t]);
  const nameOf = useCallback((row: OverdueDevice) => vehicleOf(row), []);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const { data: settings } = useQuery(backupSettingsQuery);
  const [isOpen, setOpen] = useState(false);
  const list = useList({
    spec: overdueList,
    topics: ['backups'],
    fetchPage: ({ limit, offset = 0, days = USUAL_DAYS }, signal) => fetchOverdue({ limit, offset, days: Number(days) }, signal),
  });
  const days = list.state.search.days ?? USUAL_DAYS;
  return (
    <>
      <ListPage
        list={list}
        title={t('routerBackups.page')}
        count={(count, shown) => t('routerBackups.count', { count, shown })}
        note={<Nightly settings={settings} />}
        actions={
          <ActionButton
            disabledReason={isAdmin ? limited : t('routerBackups.adminsOnly')}
            onClick={() => settings !== undefined && setOpen(true)}
          >
            {t('routerBackups.settings')}
          </ActionButton>
        }
        tools={
          <div className="backup-tools">
            <Choices
              label={t('routerBackups.older')}
              options={dayChoices.map((value) => ({ value, label: t('routerBackups.olderThan', { count: Number(value) }) }))}
              value={days}
              onChange={(value) => list.state.change({ days: value === USUAL_DAYS ? undefined : value })}
            />
          </div>
        }
        caption={t('routerBackups.page')}
        columns={columns}
        rowId={idOf}
        selection={selection}
        bar={
          <ListBar list={list} selection={selection} file={{ name: 'Backups_export.csv', columns }}>
            <BackUpChosen selection={selection} reload={list.reload} />
          </ListBar>
        }
        linkOf={({ device }) => ({ to: '/devices/setting', search: { device, tab: 'settings' } })}
      />
      {isOpen && settings !== undefined && <SettingsDialog settings={settings} onClose={() => setOpen(false)} />}
    </>
  );
}

import { routerSettings } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { ListChips } from '../../api/ListTools.tsx';
import { useGroupChip } from '../../entities/groups/useGroupFilter.ts';
import { useRoleFor } from '../../api/session.ts';
import { useList } from '../../api/useList.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { adoptMany, fetchSettings, fetchSettingsFile, restoreMany, type SettingsRow } from './settings.api.ts';
import { toast } from '../../ui/toasts.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { useAction } from '../../api/useAction.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RolloutPanel, rolloutsQuery, type TargetState } from '../groups/index.ts';
import { ImportDialog } from './ImportDialog.tsx';
import { settingsList } from './settings.lists.ts';
import { useZone } from '../../ui/time/zone.ts';
import { toneOf } from './setting-texts.ts';
import './router-settings.css';

const nameOf = ({ vehicle_number: vehicle, serial_number: serial }: SettingsRow) => (vehicle === '' ? serial : vehicle);
const idOf = ({ device }: SettingsRow) => device;

/** The result of the last command that applied settings. */
function resultOf(t: TFunction, { command }: SettingsRow): string {
  if (command === null) return t('routerSettings.result.never');
  const { state, message } = command;
  const result = t(`routerSettings.result.${state}`);
  return message === '' ? result : t('ui.detail', { name: result, detail: message });
}

function settingsColumns(t: TFunction): readonly Column<SettingsRow>[] {
  return [
    {
      id: 'vehicle',
      phone: 'title',
      header: t('devices.column.vehicle'),
      text: nameOf,
      pinned: true,
      width: 180,
      cell: (row) => (
        <Link to="/devices/setting" search={{ device: row.device, tab: 'settings' }}>
          {nameOf(row)}
        </Link>
      ),
    },
    {
      id: 'state',
      phone: 'state',
      header: t('routerSettings.column.state'),
      text: ({ state }) => t(`routerSettings.state.${state}`),
      width: 210,
      cell: ({ state, differs, since }) => (
        <>
          <StatusDot tone={toneOf(state)}>{t(`routerSettings.state.${state}`)}</StatusDot>
          {state === 'differs' && differs > 0 && (
            <span className="dim">
              {' '}
              {t('routerSettings.differing', { count: differs, shown: formatNumber(differs) })}{' '}
              {since !== null && <RelativeTime moment={since} />}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'result',
      phone: 'line',
      header: t('routerSettings.column.result'),
      text: (row) => resultOf(t, row),
      width: 280,
      cell: (row) => resultOf(t, row),
    },
    {
      id: 'exceptions',
      phone: 'line',
      header: t('routerSettings.column.exceptions'),
      text: ({ exceptions }) => String(exceptions),
      width: 120,
      cell: ({ device, exceptions }) =>
        exceptions > 0 && (
          <Link to="/groups/settings" search={{ device }}>
            {t('routerSettings.own_values', { count: exceptions, shown: formatNumber(exceptions) })}
          </Link>
        ),
    },
    {
      id: 'group',
      header: t('routerSettings.column.group'),
      text: ({ group_name: group }) => group,
      width: 170,
      cell: ({ group, group_name: name }) => (
        <Link to="/groups/settings" search={{ group }}>
          {name}
        </Link>
      ),
    },
    {
      id: 'checked',
      phone: 'aside',
      header: t('routerSettings.column.checked'),
      text: ({ checked }) => checked ?? '',
      width: 140,
      cell: ({ checked }) => checked !== null && <RelativeTime moment={checked} />,
    },
  ];
}

/** The columns of the file that say what a column of the list shows. */
const fileColumnsOf: Readonly<Record<string, readonly (typeof routerSettings.settingsColumns)[number][]>> = {
  vehicle: ['name', 'serial'],
  state: ['state', 'differs', 'values', 'since'],
  result: ['sent'],
  exceptions: ['exceptions'],
  group: ['group'],
  checked: ['checked'],
};

/** What can be done with all vehicles that differ: the group or the whole organization. */
function DifferingActions({ group, count }: { group: string | undefined; count: number }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: ['settings'] });
  const shown = { count, shown: formatNumber(count) };
  const reason = useRoleFor('jobs') === 'admin' ? undefined : t('routerSettings.adminsOnly');
  const restore = useAction<void, void>({
    run: () => restoreMany(group, count),
    onDone: () => {
      refresh();
      toast(t('routerSettings.toast.sent'));
    },
  });
  const adopt = useAction<void, { readonly devices: number; readonly left: number }>({
    run: () => adoptMany(group),
    onDone: ({ devices }) => {
      refresh();
      toast(t('routerSettings.many.adopted', { count: devices, shown: formatNumber(devices) }));
    },
  });
  const ask = async (what: 'adopt' | 'restore', run: () => void) => {
    const isSure = await confirmAction({
      title: t(`routerSettings.many.${what}`),
      text: t(`routerSettings.many.${what}Effect`, shown),
      ...(what === 'restore'
        ? { warning: t('routerSettings.many.restoreWarning'), effect: 'disruptive' }
        : { effect: 'ordinary' }),
    });
    if (isSure) run();
  };
  return (
    <div className="setting-actions">
      <ActionButton disabledReason={reason} loading={restore.busy} onClick={() => void ask('restore', restore.run)}>
        {t('routerSettings.many.restore')}
      </ActionButton>
      <ActionButton loading={adopt.busy} onClick={() => void ask('adopt', adopt.run)}>
        {t('routerSettings.many.adopt')}
      </ActionButton>
    </div>
  );
}

/** The rollout of the settings of this level, live; undefined = none. */
function usePresentRollout(group: string | undefined, isReadOnly: boolean): ReactNode {
  const [state, setState] = useState<TargetState>();
  const rollout = useQuery(rolloutsQuery(group)).data?.find(({ kind }) => kind === 'settings');
  return rollout && <RolloutPanel rollout={rollout} state={state} onState={setState} isReadOnly={isReadOnly} />;
}

/** /groups/settings/devices: which vehicles are as set, live, with the result of the last command (TPL-05). */
export function SettingsList(): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => settingsColumns(t), [t]);
  const list = useList({
    spec: settingsList,
    topics: ['settings', 'commands'],
    fetchPage: ({ limit, offset = 0, group, state }, signal) =>
      fetchSettings(
        { limit, offset, ...(group === undefined ? {} : { group }), ...(state === undefined ? {} : { state }) },
        signal,
      ),
  });
  const { group, state } = list.state.search;
  const ofGroup = useGroupChip(group);
  const isAdmin = useRoleFor('settings') === 'admin';
  const rollout = usePresentRollout(group, useRoleFor('rollouts') !== 'admin');
  const [isImporting, setImporting] = useState(false);
  const zone = useZone();
  const file = { id: settingsList.id, columns, known: Object.keys(fileColumnsOf) };
  return (
    <>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
      <ListPage
        list={list}
        title={t('routerSettings.list.title')}
        back={
          <Link to="/groups/settings" search={group === undefined ? {} : { group }}>
            {t('routerSettings.title')}
          </Link>
        }
        actions={
          <>
            <ActionButton
              disabledReason={isAdmin ? undefined : t('routerSettings.adminsOnly')}
              onClick={() => setImporting(true)}
            >
              {t('routerSettings.import.open')}
            </ActionButton>
            <DownloadButton
              fileName="Settings_export.csv"
              list={file}
              hasWorkbook
              fetchFile={(language, shown, format) =>
                fetchSettingsFile({
                  ...(group === undefined ? {} : { group }),
                  ...(state === undefined ? {} : { state }),
                  zone,
                  language,
                  columns: shown
                    ?.split(',')
                    .flatMap((id) => fileColumnsOf[id] ?? [])
                    .join(','),
                  format,
                })
              }
            />
          </>
        }
        count={(count, shown) => t('routerSettings.devices', { count, shown })}
        note={<p className="dim">{t('routerSettings.list.hint')}</p>}
        top={rollout}
        tools={
          <>
            <div className="setting-tools">
              {isAdmin && state === 'differs' && (list.source.total ?? 0) > 0 && (
                <DifferingActions group={group} count={list.source.total ?? 0} />
              )}
              <NativeSelect
                className="setting-state"
                label={t('routerSettings.column.state')}
                value={state ?? ''}
                data={[
                  { value: '', label: t('routerSettings.list.all') },
                  ...routerSettings.deviceStates.map((each) => ({ value: each, label: t(`routerSettings.state.${each}`) })),
                ]}
                onChange={({ currentTarget }) =>
                  list.state.change({ state: routerSettings.deviceStates.find((each) => each === currentTarget.value) })
                }
              />
            </div>
            <ListChips list={list} filters={[ofGroup]} />
          </>
        }
        caption={t('routerSettings.list.title')}
        columns={columns}
        rowId={idOf}
        linkOf={({ device }) => ({ to: '/devices/setting', search: { device, tab: 'settings' } })}
      />
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListBar } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useList } from '../../api/useList.ts';
import { type Job, startJob } from '../../entities/jobs/bulk-jobs.api.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { NOT_REPORTED } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { PasswordState } from './PasswordPanel.tsx';
import { SettingsDialog } from './PasswordSettings.tsx';
import { fetchPasswords, passwordSettingsQuery, type RouterPassword } from './passwords.api.ts';
import { passwordList } from './sent.lists.ts';
import './commands.css';

/** Hours that the commands of many wait for routers that are not connected. */
const WAIT_HOURS = 168;

const idOf = ({ device }: RouterPassword) => device;
function passwordColumns(t: TFunction): readonly Column<RouterPassword>[] {
  const stateText = ({ username, is_due: isDue }: RouterPassword) =>
    `${username === null ? t('commands.password.none') : t('commands.password.setFor', { username })}${
      isDue ? ` · ${t('commands.password.isDue')}` : ''
    }`;
  return [
    {
      id: 'device',
      phone: 'title',
      pinned: true,
      header: t('devices.column.vehicle'),
      width: 190,
      text: vehicleName,
      cell: (row) => (
        <Link to="/devices/setting" search={{ device: row.device, tab: 'diagnostics' }}>
          {vehicleName(row)}
        </Link>
      ),
    },
    {
      id: 'state',
      phone: 'line',
      header: t('commands.password.title'),
      width: 330,
      text: stateText,
      cell: (row) => (
        <>
          <PasswordState password={row} />
          {row.offered === false && <div className="dim">{t('commands.password.notOffered')}</div>}
        </>
      ),
    },
    {
      id: 'due',
      phone: 'line',
      header: t('commands.password.due'),
      width: 160,
      text: ({ due }) => due ?? '',
      cell: ({ due }) => (due === null ? NOT_REPORTED : <DateTime moment={due} />),
    },
    {
      id: 'serial',
      header: t('devices.column.serial'),
      width: 170,
      text: ({ serial_number: serial }) => serial,
      cell: ({ serial_number: serial }) => <span className="mono">{serial}</span>,
    },
  ];
}

/** Gives the selected routers new random passwords, as a job. */
function ReplaceChosen({ selection, reload }: { selection: Selection<RouterPassword>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('routerPasswords') === 'admin';
  const able = [...selection.selected.values()].filter(({ offered }) => offered !== false);
  const replace = useAction<void, Job | undefined>({
    run: async () => {
      const isSure = await confirmAction({
        title: t('commands.password.replace'),
        text: t('commands.password.replaceAsk', { count: able.length }),
        effect: 'ordinary',
        yes: t('commands.password.replace'),
        no: t('ui.cancel'),
      });
      if (!isSure) return undefined;
      const chosen = { selection: { devices: able.map(idOf) }, count: able.length };
      return startJob(chosen, { kind: 'send', send: 'set-password', argument: 'admin', wait: WAIT_HOURS });
    },
    onDone: (job) => {
      if (job === undefined) return;
      toast(t('commands.password.replaced', { count: job.total }));
      selection.leave();
      reload();
    },
  });
  const reason = able.length === 0 ? t('commands.password.noneAble') : undefined;
  return (
    <ActionButton
      loading={replace.busy}
      disabledReason={isAdmin ? reason : t('commands.adminsOnly')}
      onClick={() => replace.run()}
    >
      {t('commands.password.replace')}
    </ActionButton>
  );
}

/** /commands/passwords: passwords of routers' own web pages, and when they are due (LIV-11). */
export function PasswordList(): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('routerPasswords') === 'admin';
  const columns = useMemo(() => passwordColumns(t), [t]);
  const selection = useSelection(idOf, undefined, 'always', vehicleName);
  const { data: settings } = useQuery(passwordSettingsQuery);
  const [isOpen, setOpen] = useState(false);
  const list = useList({
    spec: passwordList,
    topics: ['commands'],
    fetchPage: ({ limit, offset = 0, due }, signal) =>
      fetchPasswords({ limit, offset, ...(due === undefined ? {} : { due: 'true' as const }) }, signal),
  });
  const { due } = list.state.search;
  const rotation = settings === undefined ? undefined : (settings.rotateDays ?? 0);
  return (
    <>
      <ListPage
        list={list}
        title={t('commands.password.page')}
        count={(count, shown) => t('commands.password.count', { count, shown })}
        note={
          <p className="dim">
            {t('commands.password.pageText')}{' '}
            {rotation !== undefined &&
              (rotation === 0
                ? t('commands.password.neverDue')
                : t(settings?.automatic === true ? 'commands.password.automaticDays' : 'commands.password.days', {
                    count: rotation,
                  }))}
          </p>
        }
        actions={
          <ActionButton
            disabledReason={isAdmin ? undefined : t('commands.adminsOnly')}
            onClick={() => settings !== undefined && setOpen(true)}
          >
            {t('commands.password.settings')}
          </ActionButton>
        }
        tools={
          <div className="sent-filters" role="group" aria-label={t('commands.password.due')}>
            {[undefined, 'true' as const].map((value) => (
              <Button key={value ?? 'all'} aria-pressed={due === value} onClick={() => list.state.change({ due: value })}>
                {t(value === undefined ? 'commands.sent.allStates' : 'commands.password.dueOnly')}
              </Button>
            ))}
          </div>
        }
        caption={t('commands.password.page')}
        columns={columns}
        rowId={idOf}
        selection={selection}
        bar={
          <ListBar list={list} selection={selection} file={{ name: 'Passwords_export.csv', columns }}>
            <ReplaceChosen selection={selection} reload={list.reload} />
          </ListBar>
        }
        linkOf={({ device }) => ({ to: '/devices/setting', search: { device, tab: 'diagnostics' } })}
      />
      {isOpen && settings !== undefined && <SettingsDialog settings={settings} onClose={() => setOpen(false)} />}
    </>
  );
}

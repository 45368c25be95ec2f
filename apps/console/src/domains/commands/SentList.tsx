import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { ListBar } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { ListChips } from '../../api/ListTools.tsx';
import { useEach } from '../../api/useEach.ts';
import { useList } from '../../api/useList.ts';
import { useRoleFor } from '../../api/session.ts';
import { cancelCommand, fetchSentCommands, type SentCommand } from '../../entities/commands/sent.api.ts';
import { useDeviceFilter } from '../../entities/devices/useDeviceFilter.ts';
import { vehicleName } from '../../entities/devices/vehicle-name.ts';
import { jobQuery } from '../../entities/jobs/bulk-jobs.api.ts';
import { jobSentence } from '../../entities/jobs/job.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import type { Filter } from '../../ui/filter/filter.ts';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { reasonOf, titleOf, toneOf } from './sent-texts.ts';
import { sentList } from './sent.lists.ts';
import './commands.css';

function sentColumns(t: TFunction): readonly Column<SentCommand>[] {
  const stateOf = (command: SentCommand) => t(`commands.state.${command.state}`);
  return [
    {
      id: 'command',
      phone: 'title',
      header: t('commands.command'),
      text: (command) => titleOf(t, command),
      pinned: true,
      width: 200,
    },
    {
      id: 'device',
      phone: 'line',
      header: t('devices.column.vehicle'),
      text: vehicleName,
      width: 190,
      cell: (command) => (
        <Link to="/devices/setting" search={{ device: command.device }}>
          {vehicleName(command)}
        </Link>
      ),
    },
    {
      id: 'state',
      phone: 'line',
      header: t('commands.column.state'),
      text: stateOf,
      width: 190,
      cell: (command) => <StatusDot tone={toneOf(command)}>{stateOf(command)}</StatusDot>,
    },
    {
      id: 'reason',
      header: t('commands.column.reason'),
      text: (command) => reasonOf(t, command),
      width: 260,
    },
    {
      id: 'until',
      header: t('commands.column.until'),
      text: ({ expires }) => expires,
      width: 190,
      cell: (command) => <DateTime moment={command.expires} />,
    },
    { id: 'by', header: t('commands.column.by'), text: ({ by }) => by, width: 220 },
    {
      id: 'created',
      phone: 'aside',
      header: t('commands.column.created'),
      text: ({ created }) => created,
      width: 130,
      cell: (command) => <RelativeTime moment={command.created} />,
    },
  ];
}

const idOf = ({ id }: SentCommand) => id;

/** Cancels the selected commands that wait. */
function CancelChosen({ selection, reload }: { selection: Selection<SentCommand>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('commands') === 'admin';
  const waiting = [...selection.selected.values()].filter(({ state }) => state === 'waiting');
  const cancel = useEach<SentCommand>({
    nameOf: (command) => t('commands.actionOn', { action: titleOf(t, command), device: vehicleName(command) }),
    run: ({ id }) => cancelCommand(id),
    done: () => t('commands.toast.cancelled'),
    onEnd: (failed) => {
      selection.leave();
      selection.setMany(failed, true);
      reload();
    },
  });
  const reason = isAdmin ? (waiting.length === 0 ? t('commands.sent.noneWaits') : undefined) : t('commands.adminsOnly');
  return (
    <ActionButton loading={cancel.busy} disabledReason={reason} onClick={() => cancel.run(waiting)}>
      {t('commands.sent.cancel')}
    </ActionButton>
  );
}

/** The job that sent the commands; users may not read jobs. */
function useJobFilter(job: string | undefined): Filter {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('jobs') === 'admin';
  const { data } = useQuery({ ...jobQuery(job ?? ''), enabled: isAdmin && job !== undefined });
  const shown = data ? jobSentence(t, data) : t('commands.sent.oneJob');
  return { name: 'job', label: t('commands.sent.job'), options: [], value: job, shown };
}

/** /commands/sent: commands of routers that wait, are on their way, or ended, live (LIV-09). */
export function SentList(): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => sentColumns(t), [t]);
  const nameOf = useCallback((command: SentCommand) => titleOf(t, command), [t]);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({
    spec: sentList,
    topics: ['commands'],
    fetchPage: ({ limit, offset = 0, device, job, open }, signal) =>
      fetchSentCommands(
        {
          limit,
          offset,
          ...(device === undefined ? {} : { device }),
          ...(job === undefined ? {} : { job }),
          ...(open === undefined ? {} : { open: 'true' as const }),
        },
        signal,
      ),
  });
  const { device, job, open } = list.state.search;
  const ofDevice = useDeviceFilter(device, { label: t('devices.column.vehicle'), unnamed: t('commands.sent.oneDevice') });
  const ofJob = useJobFilter(job);
  return (
    <ListPage
      list={list}
      title={t('commands.sent.page')}
      count={(count, shown) => t('commands.sent.count', { count, shown })}
      note={<p className="dim">{t('commands.sent.hint')}</p>}
      tools={
        <>
          <div className="sent-filters" role="group" aria-label={t('commands.column.state')}>
            {[undefined, 'true' as const].map((value) => (
              <Button key={value ?? 'all'} aria-pressed={open === value} onClick={() => list.state.change({ open: value })}>
                {t(value === undefined ? 'commands.sent.allStates' : 'commands.sent.openOnly')}
              </Button>
            ))}
          </div>
          <ListChips list={list} filters={[ofDevice, ofJob]} />
        </>
      }
      caption={t('commands.sent.page')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={
        <ListBar list={list} selection={selection} file={{ name: 'Commands_export.csv', columns }}>
          <CancelChosen selection={selection} reload={list.reload} />
        </ListBar>
      }
      linkOf={({ device }) => ({ to: '/devices/setting', search: { device } })}
    />
  );
}

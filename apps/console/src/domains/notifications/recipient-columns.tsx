import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from '../../ui/ActionButton.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { GroupName } from './GroupPicker.tsx';
import { happeningsOf, periodsOf, type Subscription } from './notification.ts';

/** 'All groups', or the first of them and how many more. */
function Groups({ gids }: { gids: readonly string[] }): ReactNode {
  const { t } = useTranslation();
  const [first, ...rest] = gids;
  if (first === undefined) return <span className="dim">{t('notifications.groups.none')}</span>;
  if (first === 'all') return t('notifications.groups.all');
  return (
    <>
      <GroupName group={first} />
      {rest.length > 0 && <span className="dim"> {t('notifications.groups.others', { number: formatNumber(rest.length) })}</span>}
    </>
  );
}

/** The address, and the role of its cloud user: a user is not notified. */
function Address({ mail, role }: Subscription): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <div className="recipient__mail" title={mail}>
        {mail}
      </div>
      {role !== null && (
        <div className="dim recipient__role" title={t('notifications.account.hint')}>
          {t(`notifications.account.${role}`)}
        </div>
      )}
    </>
  );
}

/** The other events: one by its name, several counted, all of them on hover. */
function Others({ types }: Pick<Subscription, 'types'>): ReactNode {
  const { t } = useTranslation();
  const labels = happeningsOf(types).map((event) => t(`notifications.event.${event}`));
  if (labels.length < 2) return labels[0] ?? <span className="dim">--</span>;
  return (
    <span title={labels.join('\n')}>
      {t('notifications.eventCount', { count: labels.length, shown: formatNumber(labels.length) })}
    </span>
  );
}

interface Acts {
  readonly edit: (subscription: Subscription) => void;
  readonly remove: (mail: string) => void;
}

export function recipientColumns(t: TFunction, acts: Acts | undefined): readonly Column<Subscription>[] {
  const periods = ({ types }: Subscription) => periodsOf(types).map((period) => t(`notifications.periods.${period}`));
  const columns: readonly Column<Subscription>[] = [
    {
      id: 'mail',
      text: ({ mail }) => mail,
      header: t('notifications.email'),
      width: 260,
      wrap: true,
      sort: 'mail',
      pinned: true,
      phone: 'title',
      phoneCell: ({ mail }) => mail,
      cell: (row) => <Address {...row} />,
    },
    {
      id: 'recipient',
      phone: 'line',
      phoneCell: ({ recipient }) => recipient,
      text: ({ recipient }) => recipient,
      header: t('notifications.recipient'),
      width: 200,
      cell: ({ recipient }) => (recipient === '' ? <span className="dim">--</span> : recipient),
    },
    {
      id: 'periods',
      phone: 'line',
      phoneCell: (row) => periods(row).join(t('ui.between')),
      text: (row) => periods(row).join(t('ui.between')),
      header: t('notifications.column.periods'),
      width: 220,
      cell: (row) => periods(row).join(t('ui.between')) || <span className="dim">--</span>,
    },
    {
      id: 'others',
      phone: 'line',
      text: ({ types }) =>
        happeningsOf(types)
          .map((event) => t(`notifications.event.${event}`))
          .join(t('ui.between')),
      header: t('notifications.column.others'),
      width: 190,
      cell: ({ types }) => <Others types={types} />,
    },
    {
      id: 'groups',
      text: ({ gids }) => (gids[0] === 'all' ? t('notifications.groups.all') : gids.join(' ')),
      header: t('notifications.column.groups'),
      width: 200,
      cell: ({ gids }) => <Groups gids={gids} />,
    },
  ];
  if (acts === undefined) return columns;
  const actions: Column<Subscription> = {
    id: 'actions',
    header: t('notifications.column.actions'),
    width: 110,
    cell: (row) => (
      <span className="row-actions">
        <IconButton
          label={t('notifications.edit', { mail: row.mail })}
          icon={<IconPencil size={16} />}
          onClick={() => acts.edit(row)}
        />
        <IconButton
          label={t('notifications.remove', { mail: row.mail })}
          icon={<IconTrash size={16} />}
          onClick={() => acts.remove(row.mail)}
        />
      </span>
    ),
  };
  return [...columns, actions];
}

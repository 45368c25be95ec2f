import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { PageLink } from '../../routing/PageLink.tsx';
import { GroupLink } from '../../entities/groups/GroupLink.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import type { Column } from '../../ui/table/column.ts';
import type { UsageKind, UsageRow } from './usage.api.ts';

function nameCell(t: TFunction, by: UsageKind, row: UsageRow): ReactNode {
  if (by === 'sims') return row.name === '' ? t('usage.unknownSim') : <span className="mono">{row.name}</span>;
  if (row.name === '') return <span className="dim">{t('usage.gone')}</span>;
  if (by === 'organizations')
    return (
      <Link to="/usage" search={{ by: 'sims', org: row.org }}>
        {row.name}
      </Link>
    );
  if (by === 'groups') return <GroupLink group={row.id}>{row.name}</GroupLink>;
  return <DeviceLink id={row.device} name={row.name} />;
}

function DeviceLink({ id, name }: { id: string; name: string }): ReactNode {
  return id === '' ? (
    name
  ) : (
    <PageLink to="/devices/setting" search={{ device: id }}>
      {name}
    </PageLink>
  );
}

export function usageColumns(t: TFunction, by: UsageKind, isMain: boolean, isCalendar: boolean): readonly Column<UsageRow>[] {
  const bytes = (id: 'sent' | 'received' | 'total' | 'before'): Column<UsageRow> => ({
    id,
    header: t(id === 'before' && isCalendar ? 'usage.column.beforeMonth' : `usage.column.${id}`),
    width: 130,
    text: (row) => String(row[id]),
    numeric: true,
    cell: (row) => <span title={`${row[id]} B`}>{formatBytes(row[id])}</span>,
    ...(id !== 'before' && { sort: id }),
    ...(id === 'total' && { phone: 'aside' }),
    ...(id === 'before' && { phone: 'line' }),
  });
  const org: Column<UsageRow> = {
    id: 'org',
    header: t('usage.column.org'),
    text: ({ orgName }) => orgName,
    phone: 'line',
    width: 220,
  };
  const device: Column<UsageRow> = {
    id: 'device',
    header: t('usage.column.device'),
    text: ({ deviceName }) => deviceName,
    phone: 'line',
    phoneCell: ({ deviceName }) => deviceName,
    width: 220,
    cell: (row) => <DeviceLink id={row.device} name={row.deviceName} />,
  };
  const carrier: Column<UsageRow> = {
    id: 'carrier',
    header: t('usage.column.carrier'),
    text: ({ carrier: name }) => name,
    phone: 'line',
    cell: (row) => row.carrier,
  };
  return [
    {
      id: 'name',
      header: t(`usage.name.${by}`),
      text: ({ name }) => name,
      pinned: true,
      width: 220,
      cell: (row) => nameCell(t, by, row),
    },
    ...(by === 'sims' ? [device] : []),
    ...(isMain && by !== 'organizations' ? [org] : []),
    bytes('total'),
    bytes('sent'),
    bytes('received'),
    bytes('before'),
    ...(by === 'sims' || by === 'vehicles' ? [carrier] : []),
  ];
}

import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import type { Column } from '../../ui/table/column.ts';
import { postponeText } from './group.ts';
import type { Group } from '../../entities/groups/group.api.ts';

type BindStatus = Group['bind']['status'][number];

/** A bound file; none reads Undefined, as in the forms. */
function Bound({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  if (name !== '') return name;
  return (
    <span className="dim" title={t('groups.nothingBound')}>
      {t('groups.undefined')}
    </span>
  );
}

/** The binding whose bar is shown: the one with the most failures, then the one with the most routers to go. */
function leading({ bind }: Group): BindStatus | undefined {
  return [...bind.status].sort((a, b) => b.fail - a.fail || a.success - b.success)[0];
}

/** From left to right: done, under way, waiting, not supported, rolled back, failed; as on the page of the group. */
function Bar({ status, devices }: { status: BindStatus; devices: number }): ReactNode {
  const { success, busy, unsupported, rolledBack, failed, fail } = status;
  const parts = [
    ['ok', success],
    ['busy', busy],
    ['idle', Math.max(0, devices - success - busy - fail)],
    ['unknown', unsupported],
    ['warn', rolledBack],
    ['bad', failed],
  ] as const;
  return (
    <span className="group-status__bar drawn" aria-hidden="true">
      {parts.map(([tone, count]) => count > 0 && <span key={tone} data-tone={tone} style={{ flexGrow: count }} />)}
    </span>
  );
}

/** '1 failed', which opens the page of the group with those routers alone (ATT-04). */
function Failures({ group, status, isLink }: { group: string; status: BindStatus; isLink: boolean }): ReactNode {
  const { t } = useTranslation();
  const { kind } = status;
  const counts = [
    ['failed', status.failed],
    ['rolled-back', status.rolledBack],
  ] as const;
  return counts.map(([state, count]) => {
    if (count === 0) return null;
    const text = t(`groups.failures.${state}`, { shown: formatNumber(count) });
    const dot = <StatusDot tone={state === 'failed' ? 'bad' : 'warn'}>{text}</StatusDot>;
    return isLink ? (
      <Link key={`${kind} ${state}`} to="/groups/detail" search={{ group, [kind]: state }}>
        {dot}
      </Link>
    ) : (
      <span key={`${kind} ${state}`}>{dot}</span>
    );
  });
}

/** 'Successful: x/y' with a bar in the colours of the states and the failures (GRP-01, GRP-10, ATT-04). */
function UpdateStatus({ group, isLink }: { group: Group; isLink: boolean }): ReactNode {
  const { t } = useTranslation();
  const { successful, deviceCount } = group;
  const text = t('groups.successful', { successful: formatNumber(successful), devices: formatNumber(deviceCount) });
  const shown = leading(group);
  // Without a file there is nothing to succeed: 0/2 is no failure.
  if (shown === undefined)
    return (
      <span className="group-status dim">
        <span className="num">{text}</span>
        <span>{t('groups.nothingBound')}</span>
      </span>
    );
  return (
    <span className="group-status">
      <span className="num">{text}</span>
      {deviceCount > 0 && <Bar status={shown} devices={deviceCount} />}
      {group.bind.status.map((status) => (
        <Failures key={status.kind} group={group.group} status={status} isLink={isLink} />
      ))}
    </span>
  );
}

/**
 * Columns of /groups/list (GRP-01); further columns are in the column chooser.
 * @param isLink failures open the page of the group
 */
export function groupColumns(t: TFunction, zone: string, isLink: boolean): readonly Column<Group>[] {
  return [
    {
      id: 'number',
      header: '#',
      width: 56,
      numeric: true,
      cell: (group, number) => <span className="dim">{formatNumber(group.number ?? number)}</span>,
    },
    {
      id: 'name',
      header: t('groups.column.name'),
      sort: 'name',
      pinned: true,
      phone: 'title',
      width: 180,
      cell: ({ groupName }) => <span className="strong">{groupName}</span>,
    },
    {
      id: 'firmware',
      header: t('groups.column.firmware'),
      sort: 'firmware',
      width: 130,
      cell: ({ firmware }) => <Bound name={firmware} />,
    },
    {
      id: 'config',
      header: t('groups.column.config'),
      sort: 'config',
      width: 140,
      cell: ({ config }) => <Bound name={config} />,
    },
    {
      id: 'schedule',
      header: t('groups.column.schedule'),
      width: 130,
      sort: 'schedule',
      cell: ({ schedule }) => t(`groups.schedule.${schedule}`),
    },
    {
      id: 'postpone',
      header: t('groups.column.postpone'),
      width: 150,
      sort: 'postpone',
      cell: ({ postpone }) =>
        postpone === null ? '' : <time title={`${formatDateTime(postpone, zone)} ${zone}`}>{postponeText(postpone, zone)}</time>,
    },
    {
      id: 'status',
      phone: 'line',
      header: t('groups.column.status'),
      width: 240,
      cell: (group) => <UpdateStatus group={group} isLink={isLink} />,
    },
    {
      id: 'description',
      header: t('groups.column.description'),
      sort: 'description',
      width: 260,
      cell: (group) => group.description,
    },
    {
      id: 'devices',
      phone: 'aside',
      phoneCell: ({ deviceCount }) => t('devices.count', { count: deviceCount, shown: formatNumber(deviceCount) }),
      header: t('groups.column.devices'),
      width: 110,
      sort: 'devices',
      numeric: true,
      optional: true,
      cell: ({ deviceCount }) => formatNumber(deviceCount),
    },
    {
      id: 'created',
      header: t('groups.column.created'),
      width: 190,
      sort: 'created',
      optional: true,
      cell: ({ created }) => <DateTime moment={created} />,
    },
  ];
}

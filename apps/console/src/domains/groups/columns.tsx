import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import type { Column } from '../../ui/table/column.ts';
import { postponeText } from './group.ts';
import type { Group } from './groups.api.ts';

/** A bound file; none reads Undefined, as in the forms. */
function Bound({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  return name === '' ? <span className="dim">{t('groups.undefined')}</span> : name;
}

/** 'Successful: x/y' with a thin bar of the share (GRP-01, GRP-10). */
function UpdateStatus({ group }: { group: Group }): ReactNode {
  const { t } = useTranslation();
  const { successful, deviceCount, firmware, config } = group;
  const text = t('groups.successful', { successful: formatNumber(successful), devices: formatNumber(deviceCount) });
  const share = deviceCount === 0 ? 0 : successful / deviceCount;
  return (
    <span className="group-status">
      <span className="num">{text}</span>
      {(firmware !== '' || config !== '') && deviceCount > 0 && (
        <span className="group-status__bar drawn" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </span>
  );
}

/** Columns of /groups/list (GRP-01); further columns are in the column chooser. */
export function groupColumns(t: TFunction, zone: string): readonly Column<Group>[] {
  return [
    { id: 'number', header: '#', numeric: true, cell: (_group, number) => <span className="dim">{number}</span> },
    {
      id: 'name',
      header: t('groups.column.name'),
      sort: 'name',
      pinned: true,
      clip: 280,
      cell: ({ groupName }) => <span className="strong">{groupName}</span>,
    },
    {
      id: 'firmware',
      header: t('groups.column.firmware'),
      sort: 'firmware',
      clip: 200,
      cell: ({ firmware }) => <Bound name={firmware} />,
    },
    {
      id: 'config',
      header: t('groups.column.config'),
      sort: 'config',
      clip: 220,
      cell: ({ config }) => <Bound name={config} />,
    },
    {
      id: 'schedule',
      header: t('groups.column.schedule'),
      sort: 'schedule',
      cell: ({ schedule }) => t(`groups.schedule.${schedule}`),
    },
    {
      id: 'postpone',
      header: t('groups.column.postpone'),
      sort: 'postpone',
      cell: ({ postpone }) =>
        postpone === null ? '' : <time title={`${formatDateTime(postpone, zone)} ${zone}`}>{postponeText(postpone, zone)}</time>,
    },
    { id: 'status', header: t('groups.column.status'), cell: (group) => <UpdateStatus group={group} /> },
    {
      id: 'description',
      header: t('groups.column.description'),
      sort: 'description',
      clip: 260,
      cell: (group) => group.description,
    },
    {
      id: 'devices',
      header: t('groups.column.devices'),
      sort: 'devices',
      numeric: true,
      optional: true,
      cell: ({ deviceCount }) => formatNumber(deviceCount),
    },
    {
      id: 'created',
      header: t('groups.column.created'),
      sort: 'created',
      optional: true,
      cell: ({ created }) => <DateTime moment={created} />,
    },
  ];
}

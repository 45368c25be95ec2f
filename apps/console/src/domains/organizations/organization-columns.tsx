import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { percentOf } from '../../ui/percent.ts';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import type { Organization } from './organizations.api.ts';

/** How many of the devices that have connected are online, as a share and in numbers; without any there is none. */
function OnlineShare({
  organization: { id, name, online, devices: all, neverConnected, offlineExpected },
}: {
  organization: Organization;
}): ReactNode {
  const { t } = useTranslation();
  const devices = all - neverConnected - offlineExpected;
  if (devices === 0) return <span className="dim">–</span>;
  const share = `${percentOf(online, devices)}%`;
  const numbers = `${formatNumber(online)}/${formatNumber(devices)}`;
  return (
    <Link
      to="/organization/setting"
      search={{ org: id, tab: 'devices', presence: 'offline' }}
      aria-label={`${t('organizations.showOffline', { name })}: ${share}, ${numbers}`}
    >
      {share} <span className="dim">{numbers}</span>
    </Link>
  );
}

/** Groups with failed routers, and with paused rollouts; none is dim. */
function Rollouts({ organization }: { organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const { id, failedRollouts, pausedRollouts } = organization;
  if (failedRollouts === 0 && pausedRollouts === 0) return <span className="dim">0</span>;
  const states = [
    ['failed', failedRollouts, 'bad'],
    ['paused', pausedRollouts, 'warn'],
  ] as const;
  return (
    <span className="organization-rollouts">
      {states.map(
        ([rollout, count, tone]) =>
          count > 0 && (
            <Link key={rollout} to="/organization/setting" search={{ org: id, tab: 'groups', rollout }}>
              <StatusDot tone={tone}>{t(`organizations.rollouts.${rollout}`, { shown: formatNumber(count) })}</StatusDot>
            </Link>
          ),
      )}
    </span>
  );
}

/** Columns of ORG-01, and the figures of ATT-03; each figure leads to the devices or groups that it counts. */
export function organizationColumns(t: TFunction): readonly Column<Organization>[] {
  return [
    {
      id: 'name',
      header: t('organizations.column.name'),
      sort: 'name',
      pinned: true,
      phone: 'title',
      width: 240,
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    {
      id: 'online',
      phone: 'aside',
      header: t('organizations.column.online'),
      width: 130,
      sort: 'online',
      numeric: true,
      cell: (organization) => <OnlineShare organization={organization} />,
    },
    {
      id: 'rollouts',
      phone: 'line',
      phoneCell: (row) => (row.failedRollouts + row.pausedRollouts === 0 ? null : <Rollouts organization={row} />),
      header: t('organizations.column.rollouts'),
      width: 170,
      sort: 'failedRollouts',
      cell: (organization) => <Rollouts organization={organization} />,
    },
    {
      id: 'expiring',
      phone: 'line',
      header: t('organizations.column.expiring'),
      width: 110,
      sort: 'expiring',
      numeric: true,
      cell: ({ id, name, expire }) =>
        expire === 0 ? (
          <span className="dim">0</span>
        ) : (
          <Link
            to="/organization/setting"
            search={{ org: id, tab: 'devices', service: 'expiring' }}
            aria-label={`${t('organizations.showExpiring', { name })}: ${formatNumber(expire)}`}
          >
            {formatNumber(expire)}
          </Link>
        ),
    },
    { id: 'contact', header: t('organizations.column.contact'), sort: 'contact', width: 180, cell: ({ contacter }) => contacter },
    { id: 'phone', header: t('organizations.column.phone'), sort: 'phone', width: 160, cell: ({ phone }) => phone },
    { id: 'address', header: t('organizations.column.address'), sort: 'address', width: 160, cell: ({ address }) => address },
    {
      id: 'devices',
      phone: 'line',
      header: t('organizations.column.devices'),
      width: 130,
      sort: 'devices',
      numeric: true,
      cell: ({ id, name, expireDevices }) => (
        <Link
          to="/devices/orgList"
          search={{ org: id }}
          aria-label={`${t('organizations.showDevices', { name })}: ${expireDevices}`}
        >
          {expireDevices}
        </Link>
      ),
    },
  ];
}

import { organizations } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { useQuery } from '@tanstack/react-query';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListBar, MOST_IN_JOB } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useList } from '../../api/useList.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { percentOf } from '../../ui/percent.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { NeedsAttention, attentionQuery, fleetQuery, useOfflineSpan } from '../overview/index.ts';
import '../overview/overview.css';
import { LazySetupNote } from '../setup/index.ts';
import { DeleteOrganizations } from './DeleteOrganizations.tsx';
import { fetchOrganizations, fetchOrganizationsFile, type Organization } from './organizations.api.ts';
import { deletingList, organizationList } from './organizations.lists.ts';
import './organizations.css';

const idOf = (organization: Organization) => organization.id;
const nameOf = ({ name }: Organization) => name;

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
function organizationColumns(t: TFunction): readonly Column<Organization>[] {
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

/** What is wrong in any organization, and the share of all devices online (ATT-03). */
function FleetAttention(): ReactNode {
  const [span, setSpan] = useOfflineSpan();
  return (
    <>
      <Suspense>
        <LazySetupNote />
      </Suspense>
      <NeedsAttention query={useQuery(attentionQuery(span))} span={span} onSpan={setSpan} fleet={useQuery(fleetQuery())} />
    </>
  );
}

/**
 * /organization, where a main account starts: what needs attention in its whole fleet, then its organizations with their figures
 * (ORG-01, ATT-03), and their deletion (ORG-02).
 */
export function OrganizationList(): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => organizationColumns(t), [t]);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const spec = selection.active ? deletingList : organizationList;
  const list = useList({
    spec,
    topics: ['organizations', 'devices'],
    highlight: 'organizations',
    fetchPage: fetchOrganizations,
  });
  const file = { id: organizationList.id, columns, known: organizations.organizationColumns };
  return (
    <ListPage
      list={list}
      title={t('organizations.title')}
      count={(count, shown) => t('organizations.count', { count, shown })}
      actions={
        <>
          <DownloadButton
            fileName="Organizations_export.csv"
            list={file}
            hasWorkbook
            fetchFile={(language, shown, format) =>
              fetchOrganizationsFile({ ...list.state.query, language, columns: shown, format })
            }
          />
          <DeleteOrganizations selection={selection} reload={list.reload} />
          <Button
            variant="filled"
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => <Link to="/organization/add" {...props} />}
          >
            {t('organizations.add')}
          </Button>
        </>
      }
      // Which columns are shown is stored for both.
      id={organizationList.id}
      caption={t('organizations.caption')}
      emptyAction={<Button renderRoot={(props) => <Link to="/organization/add" {...props} />}>{t('organizations.first')}</Button>}
      columns={columns}
      rowId={idOf}
      linkOf={({ id }) => ({ to: '/organization/setting', search: { org: id, tab: 'overview' } })}
      selection={selection}
      top={!selection.active && <FleetAttention />}
      bar={
        <ListBar
          list={list}
          selection={selection}
          most={MOST_IN_JOB}
          file={{
            name: 'Organizations_export.csv',
            columns: file,
            fetch: (options) => fetchOrganizationsFile({ ...list.state.query, ...options }),
          }}
        >
          <DeleteOrganizations selection={selection} reload={list.reload} inBar />
        </ListBar>
      }
      fieldLabel={(field) => t(`organizations.field.${field}`)}
      filters={[
        filterOf(list, 'rollout', {
          label: t('organizations.column.rollouts'),
          all: t('organizations.rollouts.all'),
          of: (rollout) => t(`organizations.rollouts.with.${rollout}`),
        }),
      ]}
    />
  );
}

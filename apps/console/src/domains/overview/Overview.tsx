import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListStatus } from '../../api/ListStatus.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { type List, useList } from '../../api/useList.ts';
import { useSession } from '../../session/session.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { type Device, type DevicePage, fetchDevices } from '../devices/devices.api.ts';
import { CarrierChart } from './CarrierChart.tsx';
import { DevicesCard, GroupsCard, LogsCard, UsersCard } from './Cards.tsx';
import { countsQuery, loginStatusQuery } from './overview.api.ts';
import { overviewList } from './overview.lists.ts';
import { Pinned } from './Pinned.tsx';
import { SimTable } from './SimTable.tsx';
import './overview.css';

/** /dashboard: the state of the organization at a glance (OVW-01 … 08). */
export function Overview(): ReactNode {
  const { t } = useTranslation();
  const { org } = useSession();
  const zone = useZone();
  const errorText = useErrorText();
  const counts = useQuery(countsQuery(zone));
  const users = useQuery(loginStatusQuery(org?.id));
  const list: List<typeof overviewList, Device, DevicePage> = useList({
    spec: overviewList,
    topics: ['devices'],
    fetchPage: ({ sort, limit, offset }, signal) => fetchDevices({ sort, limit, offset, zone }, signal),
  });
  const { search, change } = list.state;

  return (
    <div className="page">
      <PageHeader title={t('overview.title')} sub={<ListStatus updatedAt={counts.dataUpdatedAt} />} />
      {counts.error !== null && counts.data === undefined ? (
        <div className="card">
          <ErrorState text={errorText(counts.error)} onRetry={() => void counts.refetch()} />
        </div>
      ) : (
        <>
          <div className="overview__cards">
            <DevicesCard counts={counts.data} />
            <GroupsCard counts={counts.data} />
            <UsersCard users={users.data} />
            <LogsCard counts={counts.data} />
          </div>
          <CarrierChart
            carriers={counts.data?.carriers}
            chosen={search.chart}
            onChoose={(carrier) => change({ chart: carrier, page: search.page }, true)}
          />
        </>
      )}
      <Pinned />
      <SimTable list={list} />
    </div>
  );
}

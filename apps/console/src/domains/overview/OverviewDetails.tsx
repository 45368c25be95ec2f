import type { ReactNode } from 'react';
import { type List, useList } from '../../api/useList.ts';
import { useZone } from '../../ui/time/zone.ts';
import { type Device, type DevicePage, fetchDevices } from '../../entities/devices/devices.api.ts';
import { CarrierChart } from './CarrierChart.tsx';
import './overview-details.css';
import type { Counts } from './overview.api.ts';
import { overviewList } from './overview.lists.ts';
import { Pinned } from './Pinned.tsx';
import { SimTable } from './SimTable.tsx';

export interface OverviewDetailsProps {
  readonly counts: Counts | undefined;
  /** There are no counts, which is said above. */
  readonly hasFailed: boolean;
}

/** The lower part of the overview: carriers, pinned charts, devices and SIMs (OVW-04, OVW-05, OVW-08). */
export function OverviewDetails({ counts, hasFailed }: OverviewDetailsProps): ReactNode {
  const zone = useZone();
  const list: List<typeof overviewList, Device, DevicePage> = useList({
    spec: overviewList,
    topics: ['devices'],
    fetchPage: ({ sort, limit, offset }, signal) => fetchDevices({ sort, limit, offset, zone }, signal),
  });
  const { search, change } = list.state;
  return (
    <>
      {!hasFailed && (
        <CarrierChart
          carriers={counts?.carriers}
          chosen={search.chart}
          onChoose={(carrier) => change({ chart: carrier, page: search.page }, true)}
        />
      )}
      <Pinned>
        <SimTable list={list} />
      </Pinned>
    </>
  );
}

import { outages as calls } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { PageLink } from '../../routing/PageLink.tsx';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useSession } from '../../api/session.ts';
import { useList } from '../../api/useList.ts';
import { formatPlace } from '../../entities/places/place-address.ts';
import { PlaceText } from '../../entities/places/PlaceText.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatDateTime, formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { EvidenceButton } from './EvidenceButton.tsx';
import { Intro } from './Intro.tsx';
import { fetchOutages, fetchOutagesFile } from './outages.api.ts';
import { eachOutage } from './outages.lists.ts';
import type { OutageTabProps } from './tab.ts';

type Outage = calls.Outage;

const known = ['no-answer', 'connection-lost', 'closed-by-router'] as const;
const isKnown = (reason: string): reason is (typeof known)[number] => (known as readonly string[]).includes(reason);

/** Why: of what counts the end of the connection, of all else what it was. */
function reasonText(t: TFunction, { kind, reason }: Outage): string {
  if (kind === 'parked' || kind === 'planned') return t(`outages.kind.${kind}`);
  return t(`outages.reason.${isKnown(reason) ? reason : 'other'}`);
}

/** The search of /coverage for a place, with the carrier that is chosen here, and the days that have the period in them. */
const searchCoverage = (place: Parameters<typeof formatPlace>[0], hexagon: string | null) =>
  (({ period, carrier }: { readonly period?: string; readonly carrier?: string }) => ({
    days: period === 'last-month' || period === 'month' ? '90' : period,
    carrier: carrier === '' ? undefined : carrier,
    cell: hexagon ?? undefined,
    at: formatPlace(place),
  })) as never;

function outageColumns(t: TFunction, isMain: boolean, zone: string): readonly Column<Outage>[] {
  const plain = (
    id: 'carrier' | 'technology' | 'servingCell',
    header: 'carrier' | 'technology' | 'cell',
    width: number,
  ): Column<Outage> => ({
    id,
    header: t(`outages.column.${header}`),
    width,
    text: (row) => row[id],
    cell: (row) => (row[id] === '' ? NOT_REPORTED : row[id]),
  });
  return [
    {
      id: 'name',
      header: t('outages.column.vehicle'),
      pinned: true,
      phone: 'title',
      width: 130,
      text: ({ name }) => name,
      cell: ({ device, name }) => (
        <PageLink to="/devices/setting" search={{ device }}>
          {name}
        </PageLink>
      ),
    },
    {
      id: 'from',
      phone: 'line',
      header: t('outages.column.from'),
      width: 195,
      sort: 'from',
      text: ({ from }) => formatDateTime(from, zone),
    },
    {
      id: 'until',
      header: t('outages.column.until'),
      width: 195,
      text: ({ until }) => (until === null ? '' : formatDateTime(until, zone)),
      cell: ({ until }) => (until === null ? t('outages.goesOn') : formatDateTime(until, zone)),
    },
    {
      id: 'minutes',
      phone: 'aside',
      phoneCell: ({ minutes }) => t('outages.minutesOf', { minutes: formatNumber(minutes) }),
      header: t('outages.column.minutes'),
      width: 90,
      numeric: true,
      text: ({ minutes }) => String(minutes),
      cell: ({ minutes }) => formatNumber(minutes),
    },
    {
      id: 'reason',
      phone: 'line',
      header: t('outages.column.reason'),
      width: 150,
      text: (row) => reasonText(t, row),
    },
    {
      id: 'place',
      header: t('outages.column.place'),
      width: 240,
      phone: 'line',
      text: ({ latitude, longitude }) => (latitude === null || longitude === null ? '' : `${latitude}, ${longitude}`),
      cell: ({ latitude, longitude, hexagon }) =>
        latitude === null || longitude === null ? (
          NOT_REPORTED
        ) : (
          <Link to="/coverage" search={searchCoverage({ latitude, longitude }, hexagon)}>
            <PlaceText latitude={latitude} longitude={longitude} />
          </Link>
        ),
    },
    plain('carrier', 'carrier', 130),
    {
      id: 'rsrp',
      header: t('outages.column.rsrp'),
      width: 130,
      numeric: true,
      text: ({ rsrp }) => String(rsrp ?? ''),
      cell: ({ rsrp }) => (rsrp === null ? NOT_REPORTED : `${formatNumber(Math.round(rsrp))} dBm`),
    },
    plain('servingCell', 'cell', 140),
    { ...plain('technology', 'technology', 130), optional: true },
    {
      id: 'serial',
      header: t('outages.column.serial'),
      width: 160,
      optional: true,
      text: ({ serial }) => serial,
      cell: ({ serial }) => <span className="mono">{serial}</span>,
    },
    ...(isMain
      ? [
          {
            id: 'org',
            header: t('outages.column.org'),
            width: 180,
            text: ({ orgName }: Outage) => orgName,
          },
        ]
      : []),
  ];
}

/** Each outage of the period, the newest first. */
export function EachTab({ query, days, since, filters }: OutageTabProps): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const zone = useZone();
  const columns = useMemo(() => outageColumns(t, isMain, zone), [t, isMain, zone]);
  const list = useList({
    spec: eachOutage,
    topics: [],
    key: [query],
    fetchPage: ({ sort, search, field, ignoreCase, limit, offset }, signal) =>
      fetchOutages({ ...query, sort, search, field, ignoreCase, limit, offset }, signal),
  });
  const { sort, search, field, ignoreCase } = list.state.query;
  // The evidence is always about lost connections.
  const { kind: _kind, ...of } = query;
  return (
    <ListPage
      list={list}
      isPart
      title={t('outages.view.each')}
      count={(count, shown) => t('outages.count', { count, shown })}
      note={<Intro since={since} />}
      actions={
        <>
          {!isMain && <EvidenceButton days={days} of={of} />}
          <DownloadButton
            fileName={`outages_${days.from}_${days.until}.csv`}
            list={{ id: eachOutage.id, columns, known: calls.outageColumns }}
            hasWorkbook
            fetchFile={(language, shown, format) =>
              fetchOutagesFile({ ...query, sort, search, field, ignoreCase, language, columns: shown, format })
            }
          />
        </>
      }
      caption={t('outages.view.each')}
      columns={columns}
      rowId={({ device: id, from }) => `${id} ${from}`}
      fieldLabel={(name) => t(`outages.field.${name}`)}
      filters={filters}
    />
  );
}

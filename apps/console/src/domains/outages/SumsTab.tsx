import { outages as calls } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useSession } from '../../api/session.ts';
import { useList } from '../../api/useList.ts';
import { PlaceText } from '../../entities/places/PlaceText.tsx';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { Intro } from './Intro.tsx';
import { fetchSums, fetchSumsFile } from './outages.api.ts';
import { sumList } from './outages.lists.ts';
import type { OutageTabProps } from './tab.ts';
import './outages.css';

type Sum = calls.Availability;

/** The part of the address by which the outages of a row are listed. */
const filterNames = { vehicles: 'device', groups: 'group', carriers: 'carrier', hexagons: 'hexagon' } as const;

/** Of groups the vehicles that the organization has no longer, of carriers the times without one. */
const nameOf = (t: TFunction, by: calls.OutageSum, name: string): string =>
  name !== '' ? name : by === 'groups' ? t('outages.gone') : t('outages.without');

/** A sum of the main account is that of one organization, as are the outages that it leads to. */
function nameCell(t: TFunction, by: calls.OutageSum, row: Sum, isMain: boolean): ReactNode {
  const { id, name, latitude, longitude } = row;
  const isPlace = by === 'hexagons' && latitude !== null && longitude !== null;
  const text = isPlace ? <PlaceText latitude={latitude} longitude={longitude} /> : nameOf(t, by, name);
  const filter = by in filterNames ? filterNames[by as keyof typeof filterNames] : undefined;
  if (filter === undefined || (id === '' && filter !== 'carrier')) return text;
  const chosen = { [filter]: id, ...(isMain && { org: row.org }) };
  return (
    <Link
      to="/outages"
      search={((before: object) => ({ ...before, tab: undefined, sort: undefined, page: undefined, ...chosen })) as never}
    >
      {text}
    </Link>
  );
}

/** Vehicles, groups and carriers: of these it is known when a connection was expected. */
const hasShare = (by: calls.OutageSum) => by === 'vehicles' || by === 'groups' || by === 'carriers';

/** The ten with the lowest availability, against what is agreed (RPM-05). */
function Worst({ by, query }: Pick<OutageTabProps, 'query'> & { readonly by: calls.OutageSum }): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const { data } = useQuery({
    queryKey: ['outages', 'worst', by, query],
    queryFn: ({ signal }) => fetchSums({ ...query, by, sort: 'share', limit: 10, offset: 0 }, signal),
  });
  const rows = (data?.rows ?? []).filter(({ share }) => share !== null && share < 100);
  if (rows.length === 0) return null;
  return (
    <section aria-label={t('outages.worst')} className="outages-worst">
      <h2>{t('outages.worst')}</h2>
      <ol>
        {rows.map((row) => (
          <li key={`${row.org} ${row.id}`}>
            <span>{nameCell(t, by, row, isMain)}</span> {isMain && <span className="dim">{row.orgName} </span>}
            <strong>{`${row.share?.toFixed(2)}%`}</strong>
            {row.target !== null && (
              <>
                {' '}
                <Difference value={differenceOf(row)} />
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Percentage points above the target, or below it; null = there is none. */
const differenceOf = ({ share, target }: Sum): number | null =>
  share === null || target === null ? null : Math.round((share - target) * 100) / 100;

function Difference({ value }: { readonly value: number | null }): ReactNode {
  if (value === null) return NOT_REPORTED;
  const text = `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
  return value < 0 ? <span className="bad">{text}</span> : text;
}

function sumColumns(t: TFunction, by: calls.OutageSum, isMain: boolean): readonly Column<Sum>[] {
  const number = (
    id: 'outages' | 'minutes' | 'longestMinutes' | 'vehicles' | 'excludedMinutes' | 'parkedMinutes' | 'plannedMinutes',
    header: 'outages' | 'lost' | 'longest' | 'vehicles' | 'excluded' | 'parked' | 'planned',
    sort?: 'outages' | 'minutes',
  ): Column<Sum> => ({
    id,
    header: t(`outages.column.${header}`),
    width: 140,
    numeric: true,
    ...((id === 'minutes' || id === 'outages') && {
      phone: 'line' as const,
      phoneCell: (row: Sum) => `${t(`outages.column.${header}`)} ${formatNumber(row[id])}`,
    }),
    text: (row) => String(row[id]),
    cell: (row) => (id.endsWith('inutes') ? t('outages.minutesOf', { minutes: formatNumber(row[id]) }) : formatNumber(row[id])),
    ...(sort !== undefined && { sort }),
  });
  return [
    {
      id: 'name',
      header: t(`outages.view.${by}`),
      pinned: true,
      phone: 'title',
      width: 240,
      text: ({ name }) => name,
      cell: (row) => nameCell(t, by, row, isMain),
    },
    ...(hasShare(by)
      ? [
          {
            id: 'share',
            phone: 'aside',
            header: t('outages.column.share'),
            width: 130,
            numeric: true,
            sort: 'share',
            text: ({ share }: Sum) => String(share ?? ''),
            cell: ({ share }: Sum) => (share === null ? NOT_REPORTED : `${share.toFixed(2)}%`),
          } satisfies Column<Sum>,
          {
            id: 'target',
            header: t('outages.column.target'),
            width: 110,
            numeric: true,
            optional: true,
            text: ({ target }: Sum) => String(target ?? ''),
            cell: ({ target }: Sum) => (target === null ? NOT_REPORTED : `${target}%`),
          } satisfies Column<Sum>,
          {
            id: 'difference',
            header: t('outages.column.difference'),
            width: 150,
            numeric: true,
            text: (row: Sum) => String(differenceOf(row) ?? ''),
            cell: (row: Sum) => <Difference value={differenceOf(row)} />,
          } satisfies Column<Sum>,
        ]
      : []),
    number('minutes', 'lost', 'minutes'),
    number('outages', 'outages', 'outages'),
    number('longestMinutes', 'longest'),
    number('vehicles', 'vehicles'),
    { ...number('excludedMinutes', 'excluded'), optional: !hasShare(by) },
    { ...number('parkedMinutes', 'parked'), optional: true },
    { ...number('plannedMinutes', 'planned'), optional: true },
    ...(isMain
      ? [
          {
            id: 'org',
            header: t('outages.column.org'),
            width: 180,
            text: ({ orgName }: Sum) => orgName,
          },
        ]
      : []),
  ];
}

/** Outages added up, the most minutes first; each row leads to its outages. */
export function SumsTab({ by, query, days, since, filters }: OutageTabProps & { readonly by: calls.OutageSum }): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const columns = useMemo(() => sumColumns(t, by, isMain), [t, by, isMain]);
  const list = useList({
    spec: sumList,
    topics: [],
    key: [by, query],
    fetchPage: ({ sort, limit, offset }, signal) => fetchSums({ ...query, by, sort, limit, offset }, signal),
  });
  const { change, clear } = list.state;
  return (
    <ListPage
      list={list}
      isPart
      title={t(`outages.view.${by}`)}
      count={(count, shown) => t('outages.sums', { count, shown })}
      note={
        <>
          <Intro since={since} />
          {hasShare(by) && <Worst by={by} query={query} />}
        </>
      }
      actions={
        <DownloadButton
          fileName={`outages_by_${by}_${days.from}_${days.until}.csv`}
          list={{ id: sumList.id, columns, known: calls.sumColumns }}
          hasWorkbook
          fetchFile={(language, shown, format) =>
            fetchSumsFile({ ...query, by, sort: list.state.search.sort, language, columns: shown, format })
          }
        />
      }
      caption={t(`outages.view.${by}`)}
      columns={columns}
      rowId={({ org, id }) => `${org} ${id}`}
      tools={
        <FilterBar filters={filters} onFilter={(name, value) => change({ [name]: value })} onClear={clear}>
          <ColumnChooser id={sumList.id} columns={columns} />
        </FilterBar>
      }
    />
  );
}

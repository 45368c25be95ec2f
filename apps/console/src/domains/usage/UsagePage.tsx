import { nameUsageFile, usage as calls } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListBar } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { useList } from '../../api/useList.ts';
import { useOrganizationFilter } from '../../entities/organizations/useOrganizationFilter.ts';
import { Choices } from '../../ui/chart/Choices.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { MonthChart } from './MonthChart.tsx';
import { reportPeriod } from './report-period.ts';
import { usageColumns } from './usage-columns.tsx';
import { fetchUsage, fetchUsageFile, monthQuery, type UsageKind, type UsageRow } from './usage.api.ts';
import { usageList } from './usage.lists.ts';

/** What a file also has, so that it says by itself which vehicle and which days it is of. */
const alsoInFile = (by: UsageKind) =>
  by === 'sims' || by === 'vehicles' ? (['serial', 'from', 'until'] as const) : (['from', 'until'] as const);

function withPeriod(by: UsageKind, shown: string | undefined): string | undefined {
  return shown === undefined ? undefined : [...new Set([...shown.split(','), ...alsoInFile(by)])].join(',');
}

function periodColumns(t: TFunction, by: UsageKind): Column<UsageRow>[] {
  const texts: Record<ReturnType<typeof alsoInFile>[number], (row: UsageRow) => string> = {
    serial: ({ serial }) => serial,
    from: ({ cycleFrom }) => cycleFrom,
    until: ({ cycleUntil }) => new Date(Date.parse(cycleUntil) - 86_400_000).toISOString().slice(0, 10),
  };
  return alsoInFile(by).map((id) => ({ id, header: t(`usage.column.${id}`), text: texts[id], cell: texts[id] }));
}

const idOf = ({ id, org }: UsageRow) => `${org} ${id}`;
const nameOf = ({ name, id }: UsageRow) => (name === '' ? id : name);

/** /usage: this month next to the last one, and what used the most data in a cycle (USE-02). */
export function UsagePage(): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const isMain = session.role === 'main';
  const first: UsageKind = isMain ? 'organizations' : 'sims';
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({
    spec: usageList,
    topics: [],
    fetchPage: (query, signal) => fetchUsage({ by: first, ...query }, signal),
  });
  const { search, change } = list.state;
  const by = search.by ?? first;
  const month = useQuery(monthQuery({ ...(search.org !== undefined && { org: search.org }) })).data;
  const organization = useOrganizationFilter(search.org);
  const isCalendar = month?.isCalendar ?? true;
  const columns = useMemo(() => usageColumns(t, by, isMain, isCalendar), [t, by, isMain, isCalendar]);
  const cycle = search.cycle ?? 'current';
  // The figures of another period, or of another kind, are not those on the page and in the name of the file.
  const [selectedOf, setSelectedOf] = useState({ by, cycle });
  if (selectedOf.by !== by || selectedOf.cycle !== cycle) {
    setSelectedOf({ by, cycle });
    selection.leave();
  }
  const period = isCalendar ? 'calendar' : 'cycle';
  const fileName = `${month === undefined ? `usage_${by}` : nameUsageFile(by, cycle, month)}.csv`;
  const report = reportPeriod(cycle, month, list.response);
  const kinds = calls.usageKinds.filter((kind) => isMain || kind !== 'organizations');
  return (
    <ListPage
      list={list}
      title={t('usage.title')}
      count={(count, shown) => t('usage.count', { count, shown })}
      actions={
        <>
          {!isMain && isPageOpen(session, '/usage/plans') && (
            <Button renderRoot={(root) => <Link to="/usage/plans" {...root} />}>{t('usage.plans')}</Button>
          )}
          {isPageOpen(session, '/summaries') && (
            <Button renderRoot={(root) => <Link to="/summaries" search={{ kind: 'data-use', ...report.search }} {...root} />}>
              {t(report.isOtherMonth ? 'usage.reportOfMonth' : 'usage.report')}
            </Button>
          )}
          <DownloadButton
            fileName={fileName}
            list={{ id: usageList.id, columns, known: calls.usageColumns }}
            hasWorkbook
            fetchFile={(language, shown, format) =>
              fetchUsageFile({ by, ...list.state.query, language, columns: withPeriod(by, shown), format })
            }
          />
        </>
      }
      top={
        <>
          <p className="dim">
            {isMain && search.org === undefined
              ? t('usage.daysOfAll')
              : month !== undefined && t('usage.days', { zone: month.zone })}{' '}
            {!isCalendar && t('usage.cycles')}
          </p>
          <MonthChart org={search.org} cycle={cycle} />
          <div className="usage-tools">
            <Choices
              label={t('usage.by.label')}
              options={kinds.map((value) => ({ value, label: t(`usage.by.${value}`) }))}
              value={by}
              onChange={(kind) => change({ by: kind, search: undefined, sort: undefined })}
            />
            {search.org !== undefined && isMain && (
              <Link to="/usage" search={{}}>
                {t('usage.allOrganizations')}
              </Link>
            )}
          </div>
        </>
      }
      caption={t('usage.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={
        <ListBar list={list} selection={selection} file={{ name: fileName, columns: [...columns, ...periodColumns(t, by)] }} />
      }
      fieldLabel={(field) => t(`usage.field.${field}`)}
      filters={[
        filterOf(list, 'cycle', {
          label: t(`usage.${period}.label`),
          all: t(`usage.${period}.current`),
          of: (value) => t(`usage.${period}.${value}`),
        }),
        ...(isMain ? [organization] : []),
      ]}
    />
  );
}

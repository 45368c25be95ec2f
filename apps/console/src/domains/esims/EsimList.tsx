import { IconFileSpreadsheet, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListStatus } from '../../api/ListStatus.tsx';
import { type List, useList } from '../../api/useList.ts';
import { useSession } from '../../app/session/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { esimColumns } from './columns.tsx';
import { fetchProfiles, fetchProfilesFile, type Profile } from './esims.api.ts';
import { esimList } from './esims.lists.ts';
import { useExample } from './useExample.ts';
import { useResume } from './useResume.ts';

type Esims = List<typeof esimList, Profile, Awaited<ReturnType<typeof fetchProfiles>>>;

const idOf = ({ pk }: Profile) => pk;

function Tools({ list, columns }: { list: Esims; columns: readonly Column<Profile>[] }): ReactNode {
  const { t } = useTranslation();
  const { search, change, clear } = list.state;
  const status = {
    name: 'status',
    label: t('esims.filter.status'),
    value: search.status,
    options: [
      { value: '', label: t('esims.filter.all') },
      ...esimList.filters.status.map((value) => ({ value, label: t(`esims.filter.${value}`) })),
    ],
  };
  return (
    <FilterBar
      search={{
        fields: esimList.fields.map((field) => ({ value: field, label: t(`esims.column.${field}`) })),
        field: search.field ?? 'serial',
        value: search.search,
        onSearch: (field, text) => change({ field: field as typeof search.field, search: text }, true),
      }}
      filters={[status]}
      onFilter={(name, value) => change({ [name]: value })}
      onClear={clear}
    >
      <ColumnChooser id={esimList.id} columns={columns} />
    </FilterBar>
  );
}

function Sub({ list }: { list: Esims }): ReactNode {
  const { t } = useTranslation();
  const total = list.answer?.total;
  if (total === undefined) return <span>&nbsp;</span>;
  return (
    <>
      {t('esims.count', { count: total, shown: formatNumber(total) })} · <ListStatus updatedAt={list.updatedAt} />
    </>
  );
}

/** /devices/esimsList: the eSIM profiles of an organization's routers, live (SIM-01 … 03). */
export function EsimList(): ReactNode {
  const { t } = useTranslation();
  const mayChange = useSession().role === 'admin';
  const notAllowed = mayChange ? undefined : t('esims.adminsOnly');
  const language = useLanguage();
  const navigate = useNavigate();
  const resume = useResume();
  const example = useExample();
  const columns = useMemo(() => esimColumns(t, resume, notAllowed), [t, resume, notAllowed]);
  const list: Esims = useList({
    spec: esimList,
    topics: ['esims'],
    highlight: 'profiles',
    fetchPage: (page, { search }, signal) => fetchProfiles(search, page, signal),
  });

  return (
    <div className="page page--list">
      <PageHeader
        title={t('esims.title')}
        sub={<Sub list={list} />}
        actions={
          <>
            <ActionButton icon={<IconFileSpreadsheet size={16} />} loading={example.busy} onClick={() => example.run()}>
              {t('esims.example')}
            </ActionButton>
            <DownloadButton fileName="eSIMs_export.csv" fetchFile={() => fetchProfilesFile(list.state.search, language)} />
            <ActionButton
              variant="filled"
              icon={<IconPlus size={16} />}
              disabledReason={notAllowed}
              onClick={() => void navigate({ to: '/devices/esimsAdd', search: {} })}
            >
              {t('esims.add')}
            </ActionButton>
          </>
        }
      />
      <DataTable
        id={esimList.id}
        caption={t('esims.caption')}
        columns={columns}
        rowId={idOf}
        source={list.source}
        view={list.view}
        defaultSize={esimList.defaultSize}
        onView={list.onView}
        filtered={list.state.filtered}
        onClearFilters={list.state.clear}
        highlighted={new Set([...list.highlighted, ...resume.tracked])}
        onOpen={mayChange ? ({ pk }) => void navigate({ to: '/devices/esimsEdit', search: { profile: pk } }) : undefined}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

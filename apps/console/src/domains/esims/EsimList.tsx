import { IconFileSpreadsheet, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListCount } from '../../api/ListCount.tsx';
import { ListTools } from '../../api/ListTools.tsx';
import { type List, tableOf, useList } from '../../api/useList.ts';
import { useSession } from '../../session/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { esimColumns } from './columns.tsx';
import { fetchProfiles, fetchProfilesFile, type Profile } from './esims.api.ts';
import { esimList } from './esims.lists.ts';
import { useExample } from './useExample.ts';
import { useResume } from './useResume.ts';

type Esims = List<typeof esimList, Profile>;

const idOf = ({ pk }: Profile) => pk;

function Tools({ list, columns }: { list: Esims; columns: readonly Column<Profile>[] }): ReactNode {
  const { t } = useTranslation();
  const { search } = list.state;
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
    <ListTools
      spec={esimList}
      list={list}
      columns={columns}
      fieldLabel={(field) => t(`esims.column.${field}`)}
      filters={[status]}
    />
  );
}

/** /devices/esimsList: the eSIM profiles of an organization's routers, live (SIM-01 … 03). */
export function EsimList(): ReactNode {
  const { t } = useTranslation();
  const mayChange = useSession().role === 'admin';
  const notAllowed = mayChange ? undefined : t('esims.adminsOnly');
  const navigate = useNavigate();
  const resume = useResume();
  const example = useExample();
  const columns = useMemo(() => esimColumns(t, resume, notAllowed), [t, resume, notAllowed]);
  const list: Esims = useList({
    spec: esimList,
    topics: ['esims'],
    highlight: 'profiles',
    fetchPage: fetchProfiles,
  });

  return (
    <div className="page page--list">
      <PageHeader
        title={t('esims.title')}
        sub={<ListCount list={list} text={(count, shown) => t('esims.count', { count, shown })} />}
        actions={
          <>
            <ActionButton icon={<IconFileSpreadsheet size={16} />} loading={example.busy} onClick={() => example.run()}>
              {t('esims.example')}
            </ActionButton>
            <DownloadButton
              fileName="eSIMs_export.csv"
              fetchFile={(language) => fetchProfilesFile({ ...list.state.query, language, layout: 'profiles' })}
            />
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
        {...tableOf(esimList, list)}
        caption={t('esims.caption')}
        columns={columns}
        rowId={idOf}
        highlighted={new Set([...list.highlighted, ...resume.tracked])}
        onOpen={mayChange ? ({ pk }) => void navigate({ to: '/devices/esimsEdit', search: { profile: pk } }) : undefined}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

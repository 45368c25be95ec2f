import { esims } from '@highline/contract';
import { IconFileSpreadsheet, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import type { ListFile } from '../../api/DownloadButton.tsx';
import { ListBar, ListDownload } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useList } from '../../api/useList.ts';
import { useRoleFor } from '../../api/session.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { esimColumns } from './columns.tsx';
import { fetchProfiles, fetchProfilesFile, type Profile } from './esims.api.ts';
import { esimList } from './esims.lists.ts';
import { useExample } from './useExample.ts';
import { useResume } from './useResume.ts';

const idOf = ({ pk }: Profile) => pk;
const nameOf = ({ name, serial }: Profile) => `${name} ${serial}`.trim();

/** /devices/esimsList: the eSIM profiles of an organization's routers, live (SIM-01 … 03). */
export function EsimList(): ReactNode {
  const { t } = useTranslation();
  const mayChange = useRoleFor('esims') === 'admin';
  const notAllowed = mayChange ? undefined : t('esims.adminsOnly');
  const navigate = useNavigate();
  const resume = useResume();
  const example = useExample();
  const columns = useMemo(() => esimColumns(t, resume, notAllowed), [t, resume, notAllowed]);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({
    spec: esimList,
    topics: ['esims'],
    highlight: 'profiles',
    fetchPage: fetchProfiles,
  });

  const file: ListFile<typeof list.spec> = {
    name: 'eSIMs_export.csv',
    columns: { id: esimList.id, columns, known: esims.profileColumns },
    fetch: (query) => fetchProfilesFile({ ...query, layout: 'profiles' }),
  };
  return (
    <ListPage
      list={list}
      title={t('esims.title')}
      count={(count, shown) => t('esims.count', { count, shown })}
      actions={
        <>
          <ActionButton icon={<IconFileSpreadsheet size={16} />} loading={example.busy} onClick={() => example.run()}>
            {t('esims.example')}
          </ActionButton>
          <ListDownload list={list} file={file} />
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
      caption={t('esims.caption')}
      emptyAction={
        mayChange && (
          <ActionButton onClick={() => void navigate({ to: '/devices/esimsAdd', search: {} })}>{t('esims.first')}</ActionButton>
        )
      }
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={<ListBar list={list} selection={selection} file={file} />}
      highlighted={new Set([...list.highlighted, ...resume.tracked])}
      linkOf={mayChange ? ({ pk }) => ({ to: '/devices/esimsEdit', search: { profile: pk } }) : undefined}
      fieldLabel={(field) => t(`esims.column.${field}`)}
      filters={[
        filterOf(list, 'status', {
          label: t('esims.filter.status'),
          all: t('esims.filter.all'),
          of: (status) => t(`esims.filter.${status}`),
        }),
      ]}
    />
  );
}

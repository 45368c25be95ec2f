import { Button } from '../../ui/controls/Button.tsx';
import { IconUpload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { type DeleteProps, DeleteRows } from '../../api/useDeletion.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { ListBar, MOST_IN_JOB } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { showMessage } from '../../ui/dialogs.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { boundGroups, formatKilobytes } from './config.ts';
import { type Config, deleteConfigs, fetchConfigs } from './configs.api.ts';
import { configList } from './configs.lists.ts';

const idOf = ({ pk }: Config) => pk;
const nameOf = ({ name }: Config) => name;

function configColumns(t: TFunction): readonly Column<Config>[] {
  return [
    { id: 'number', header: '#', width: 56, numeric: true, cell: (_, number) => formatNumber(number) },
    {
      id: 'name',
      header: t('configs.column.name'),
      text: ({ name }) => name,
      sort: 'name',
      pinned: true,
      width: 280,
      phone: 'title',
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    {
      id: 'note',
      header: t('configs.column.note'),
      text: ({ note }) => note,
      phone: 'line',
      grow: true,
      sort: 'note',
      width: 320,
    },
    {
      id: 'size',
      phone: 'aside',
      header: t('configs.column.size'),
      text: ({ size }) => formatKilobytes(size),
      width: 110,
      sort: 'size',
      numeric: true,
    },
    {
      id: 'version',
      header: t('configs.column.version'),
      text: ({ version }) => String(version),
      width: 100,
      numeric: true,
      cell: ({ version }) => formatNumber(version),
    },
    {
      id: 'groups',
      phone: 'line',
      header: t('configs.column.groups'),
      text: ({ groups }) => String(groups),
      width: 100,
      numeric: true,
      cell: ({ groups }) => formatNumber(groups),
    },
    {
      id: 'updated',
      header: t('configs.column.updated'),
      text: ({ updated }) => updated,
      width: 190,
      sort: 'updated',
      cell: ({ updated }) => <DateTime moment={updated} />,
    },
  ];
}

/** Deletes the selected files, unless groups are bound to one (CFG-01). */
function DeleteConfigs({ selection, reload, inBar }: DeleteProps<Config>): ReactNode {
  const { t } = useTranslation();
  const remove = useRemoval('configs');
  const errorText = useErrorText();
  return (
    <DeleteRows
      inBar={inBar}
      selection={selection}
      reload={reload}
      question={t('configs.remove.question')}
      nameOf={({ name }) => name}
      yes={t('configs.remove.enter')}
      job={(picked) => remove(picked.map(idOf))}
      run={(picked) => deleteConfigs(picked.map((config) => idOf(config)))}
      onError={(error) => {
        if (!(error instanceof ApiError) || error.key !== 'config.bound') return false;
        const warning = t('configs.remove.bound', { groups: boundGroups(error, t('ui.between')) });
        void showMessage({ title: t('ui.dialog.errorTitle'), text: errorText(error), warning });
        return true;
      }}
      count={(number) => t('configs.remove.count', { number })}
    />
  );
}

/** /groups/config: the config files of an organization, for its admins (CFG-01). */
export function ConfigList(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const columns = useMemo(() => configColumns(t), [t]);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({
    spec: configList,
    topics: ['configs', 'groups'],
    highlight: 'profiles',
    fetchPage: fetchConfigs,
  });
  return (
    <ListPage
      list={list}
      title={t('configs.title')}
      count={(count, shown) => t('configs.count', { count, shown })}
      actions={
        <>
          <DeleteConfigs selection={selection} reload={list.reload} />
          <Button
            variant="filled"
            leftSection={<IconUpload size={16} />}
            onClick={() => void navigate({ to: '/groups/configAdd' })}
          >
            {t('configs.upload')}
          </Button>
        </>
      }
      caption={t('configs.caption')}
      emptyAction={<Button onClick={() => void navigate({ to: '/groups/configAdd' })}>{t('configs.first')}</Button>}
      columns={columns}
      rowId={idOf}
      bar={
        <ListBar list={list} selection={selection} most={MOST_IN_JOB} file={{ name: 'Config_files_export.csv', columns }}>
          <DeleteConfigs selection={selection} reload={list.reload} inBar />
        </ListBar>
      }
      selection={selection}
      linkOf={({ pk }) => ({ to: '/groups/configSetting', search: { config: pk } })}
      fieldLabel={(field) => t(`configs.field.${field}`)}
    />
  );
}

import { Button } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { ListStatus } from '../../api/ListStatus.tsx';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { type List, useList } from '../../api/useList.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { askYesNo, showMessage } from '../../ui/dialogs.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { boundGroups, formatKilobytes } from './config.ts';
import { type Config, deleteConfigs, fetchConfigs } from './configs.api.ts';
import { configList } from './configs.lists.ts';

type Configs = List<typeof configList, Config, Awaited<ReturnType<typeof fetchConfigs>>>;

const idOf = ({ pk }: Config) => pk;

function configColumns(t: TFunction): readonly Column<Config>[] {
  return [
    { id: 'number', header: '#', numeric: true, cell: (_, number) => formatNumber(number) },
    {
      id: 'name',
      header: t('configs.column.name'),
      sort: 'name',
      pinned: true,
      clip: 280,
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    { id: 'note', header: t('configs.column.note'), sort: 'note', clip: 320, cell: ({ note }) => note },
    {
      id: 'size',
      header: t('configs.column.size'),
      sort: 'size',
      numeric: true,
      cell: ({ size }) => formatKilobytes(size),
    },
    { id: 'version', header: t('configs.column.version'), numeric: true, cell: ({ version }) => formatNumber(version) },
    { id: 'groups', header: t('configs.column.groups'), numeric: true, cell: ({ groups }) => formatNumber(groups) },
    {
      id: 'updated',
      header: t('configs.column.updated'),
      sort: 'updated',
      cell: ({ updated }) => <DateTime moment={updated} />,
    },
  ];
}

function Tools({ list, columns }: { list: Configs; columns: readonly Column<Config>[] }): ReactNode {
  const { t } = useTranslation();
  const { search, change, clear } = list.state;
  return (
    <FilterBar
      search={{
        fields: configList.fields.map((field) => ({ value: field, label: t(`configs.field.${field}`) })),
        field: search.field ?? 'name',
        value: search.search,
        onSearch: (field, text) => change({ field: field as typeof search.field, search: text }, true),
      }}
      filters={[]}
      onFilter={() => undefined}
      onClear={clear}
    >
      <ColumnChooser id={configList.id} columns={columns} />
    </FilterBar>
  );
}

/** Enters the delete mode; in it, Delete(n) and Cancel (CFG-01, SHR-07). */
function DeleteConfigs({ selection, reload }: { selection: Selection<Config>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const number = selection.selected.size;
  const leave = () => {
    selection.leave();
    reload();
  };
  const remove = useAction<readonly string[], void>({
    run: deleteConfigs,
    onDone: () => {
      toast(t('ui.done.deleted'));
      leave();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.key !== 'config.bound') return false;
      const warning = t('configs.remove.bound', { groups: boundGroups(error) });
      void showMessage({ title: t('ui.dialog.errorTitle'), text: errorText(error), warning });
      return true;
    },
  });
  const ask = async () => {
    const sure = await askYesNo({
      title: t('ui.dialog.warningTitle'),
      text: t('configs.remove.question'),
      items: [...selection.selected.values()].map(({ name }) => name),
      warning: t('ui.dialog.permanent'),
      yes: t('configs.remove.enter'),
      no: t('ui.cancel'),
      danger: true,
    });
    if (sure) remove.run([...selection.selected.keys()]);
  };
  if (!selection.active) {
    return (
      <Button leftSection={<IconTrash size={16} />} onClick={selection.enter}>
        {t('configs.remove.enter')}
      </Button>
    );
  }
  return (
    <>
      <Button onClick={leave}>{t('ui.cancel')}</Button>
      <ActionButton
        variant="filled"
        color="danger"
        loading={remove.busy}
        disabledReason={number === 0 ? t('ui.dialog.selectFirst') : undefined}
        onClick={() => void ask()}
      >
        {t('configs.remove.count', { number })}
      </ActionButton>
    </>
  );
}

/** /groups/config: the config files of an organization, for its admins (CFG-01). */
export function ConfigList(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const columns = useMemo(() => configColumns(t), [t]);
  const selection = useSelection(idOf);
  const list: Configs = useList({
    spec: configList,
    topics: ['configs', 'groups'],
    highlight: 'profiles',
    fetchPage: (page, { search }, signal) => fetchConfigs(search, page, signal),
  });
  const total = list.answer?.total;
  return (
    <div className="page page--list">
      <PageHeader
        title={t('configs.title')}
        sub={
          total === undefined ? (
            <span>&nbsp;</span>
          ) : (
            <>
              {t('configs.count', { count: total, shown: formatNumber(total) })} · <ListStatus updatedAt={list.updatedAt} />
            </>
          )
        }
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
      />
      <DataTable
        id={configList.id}
        caption={t('configs.caption')}
        columns={columns}
        rowId={idOf}
        source={list.source}
        view={list.view}
        defaultSize={configList.defaultSize}
        onView={list.onView}
        filtered={list.state.filtered}
        onClearFilters={list.state.clear}
        highlighted={list.highlighted}
        selection={selection}
        onOpen={({ pk }) => void navigate({ to: '/groups/configSetting', search: { config: pk } })}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListStatus } from '../../api/ListStatus.tsx';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { type List, useList } from '../../api/useList.ts';
import { useSession } from '../../app/session/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { askYesNo, showMessage } from '../../ui/dialogs.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { useLanguage } from '../../ui/language.ts';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { deleteUsers, DeletionError, fetchUsers, fetchUsersFile, roleOf, type User } from './users.api.ts';
import { userList } from './users.lists.ts';

type Users = List<typeof userList, User, Awaited<ReturnType<typeof fetchUsers>>>;

const idOf = (user: User) => user.id;

function userColumns(t: TFunction): readonly Column<User>[] {
  return [
    {
      id: 'name',
      header: t('users.column.name'),
      sort: 'name',
      pinned: true,
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    { id: 'email', header: t('users.column.email'), sort: 'email', cell: ({ email }) => email },
    { id: 'role', header: t('users.column.role'), sort: 'role', cell: (user) => t(`users.role.${roleOf(user)}`) },
  ];
}

function Tools({ list, columns }: { list: Users; columns: readonly Column<User>[] }): ReactNode {
  const { t } = useTranslation();
  const { search, change, clear } = list.state;
  return (
    <FilterBar
      search={{
        fields: userList.fields.map((field) => ({ value: field, label: t(`users.field.${field}`) })),
        field: search.field ?? 'name',
        value: search.search,
        onSearch: (field, text) => change({ field: field as typeof search.field, search: text }, true),
      }}
      filters={[
        {
          name: 'role',
          label: t('users.role.label'),
          value: search.role,
          options: [
            { value: '', label: t('users.role.all') },
            { value: 'admin', label: t('users.role.admin') },
            { value: 'user', label: t('users.role.user') },
          ],
        },
      ]}
      onFilter={(name, value) => change({ [name]: value })}
      onClear={clear}
    >
      <ColumnChooser id={userList.id} columns={columns} />
    </FilterBar>
  );
}

/** Ask, delete what is picked, and name those that stayed in one error (USR-04). */
function useDeleteUsers(selection: Selection<User>, reload: () => void) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const end = () => {
    selection.leave();
    reload();
  };
  const remove = useAction<readonly User[], void>({
    run: deleteUsers,
    onDone: () => {
      toast(t('ui.done.deleted'));
      end();
    },
    onError: (error) => {
      if (!(error instanceof DeletionError)) return false;
      void showMessage({
        title: t('ui.dialog.errorTitle'),
        text: t('users.remove.failed', { reason: errorText(error.first), emails: error.emails.join(', ') }),
      });
      end();
      return true;
    },
  });
  const ask = async () => {
    const picked = [...selection.selected.values()];
    const sure = await askYesNo({
      title: t('ui.dialog.warningTitle'),
      text: t('users.remove.question'),
      items: picked.map(({ email }) => email),
      warning: t('ui.dialog.permanent'),
      yes: t('users.remove.enter'),
      no: t('ui.cancel'),
      danger: true,
    });
    if (sure) remove.run(picked);
  };
  return { ask: () => void ask(), busy: remove.busy, cancel: end };
}

/** Enters the delete mode; in it, Delete(n) and Cancel (SHR-07). */
function DeleteUsers({ selection, reload }: { selection: Selection<User>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const remove = useDeleteUsers(selection, reload);
  const number = selection.selected.size;
  if (!selection.active) {
    return (
      <Button leftSection={<IconTrash size={16} />} onClick={selection.enter}>
        {t('users.remove.enter')}
      </Button>
    );
  }
  return (
    <>
      <Button onClick={remove.cancel}>{t('ui.cancel')}</Button>
      <ActionButton
        variant="filled"
        color="danger"
        loading={remove.busy}
        disabledReason={number === 0 ? t('ui.dialog.selectFirst') : undefined}
        onClick={remove.ask}
      >
        {t('users.remove.count', { number })}
      </ActionButton>
    </>
  );
}

function Sub({ list }: { list: Users }): ReactNode {
  const { t } = useTranslation();
  const total = list.answer?.total;
  if (total === undefined) return <span>&nbsp;</span>;
  return (
    <>
      {t('users.count', { count: total, shown: formatNumber(total) })} · <ListStatus updatedAt={list.updatedAt} />
    </>
  );
}

/** /users: the cloud users of the organization (USR-01, USR-04). */
export function UserList(): ReactNode {
  const { t } = useTranslation();
  const { id: own } = useSession();
  const language = useLanguage();
  const navigate = useNavigate();
  const columns = useMemo(() => userColumns(t), [t]);
  const reason = useCallback((user: User) => (user.id === own ? t('users.remove.isSelf') : undefined), [own, t]);
  const selection = useSelection(idOf, reason);
  const list: Users = useList({
    spec: userList,
    topics: ['accounts'],
    highlight: 'users',
    fetchPage: (page, { search }, signal) => fetchUsers(search, page, signal),
  });
  return (
    <div className="page page--list">
      <PageHeader
        title={t('users.title')}
        sub={<Sub list={list} />}
        actions={
          <>
            <DownloadButton fileName="Users_export.csv" fetchFile={() => fetchUsersFile(list.state.search, language)} />
            <DeleteUsers selection={selection} reload={list.reload} />
            <Button
              variant="filled"
              leftSection={<IconPlus size={16} />}
              renderRoot={(props) => <Link to="/users/add" {...props} />}
            >
              {t('users.add.open')}
            </Button>
          </>
        }
      />
      <DataTable
        id={userList.id}
        caption={t('users.caption')}
        columns={columns}
        rowId={idOf}
        source={list.source}
        view={list.view}
        defaultSize={userList.defaultSize}
        onView={list.onView}
        filtered={list.state.filtered}
        onClearFilters={list.state.clear}
        highlighted={list.highlighted}
        onOpen={(user) => void navigate({ to: '/users/detail', search: { user: user.id } })}
        selection={selection}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

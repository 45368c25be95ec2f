import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListCount } from '../../api/ListCount.tsx';
import { useDeletion } from '../../api/useDeletion.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { ListTools } from '../../api/ListTools.tsx';
import { type List, tableOf, useList } from '../../api/useList.ts';
import { useSession } from '../../session/session.ts';
import { showMessage } from '../../ui/dialogs.ts';
import { DeleteMode } from '../../ui/list/DeleteMode.tsx';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import {
  deleteUsers,
  DeletionError,
  fetchUsers,
  fetchUsersFile,
  namesNoUser,
  type Person,
  type Rejection,
  roleOf,
} from './users.api.ts';
import { userList } from './users.lists.ts';
import './users.css';

type Users = List<typeof userList, Person>;

const idOf = (user: Person) => user.id;

function userColumns(t: TFunction): readonly Column<Person>[] {
  return [
    {
      id: 'name',
      header: t('users.column.name'),
      sort: 'name',
      pinned: true,
      clip: 320,
      cell: ({ name, invitation }) => (
        <span className="user-name">
          <span className="strong">{name}</span>
          {invitation !== null && <span className="dim">{t('users.invitation.pending')}</span>}
        </span>
      ),
    },
    { id: 'email', header: t('users.column.email'), sort: 'email', clip: 320, cell: ({ email }) => email },
    { id: 'role', header: t('users.column.role'), sort: 'role', cell: (user) => t(`users.role.${roleOf(user)}`) },
  ];
}

function Tools({ list, columns }: { list: Users; columns: readonly Column<Person>[] }): ReactNode {
  const { t } = useTranslation();
  const { search } = list.state;
  return (
    <ListTools
      spec={userList}
      list={list}
      columns={columns}
      fieldLabel={(field) => t(`users.field.${field}`)}
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
    />
  );
}

/** Deletes the picked users, and names those that could not be deleted in one error, by reason (USR-04). */
function DeleteUsers({ selection, reload }: { selection: Selection<Person>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const deletion = useDeletion({
    selection,
    reload,
    question: t('users.remove.question'),
    nameOf: ({ email }) => email,
    yes: t('users.remove.enter'),
    run: deleteUsers,
    onError: (error, leave) => {
      if (!(error instanceof DeletionError)) return false;
      const reasonOf = ({ error: why }: Rejection) => (namesNoUser(why) ? t('users.remove.invalid') : errorText(why));
      const byReason = Map.groupBy(error.rejections, reasonOf);
      void showMessage({
        title: t('ui.dialog.errorTitle'),
        text: t('users.remove.someStayed'),
        items: [...byReason].map(([reason, those]) =>
          t('users.remove.failed', { reason, emails: those.map(({ email }) => email).join(', ') }),
        ),
      });
      leave();
      return true;
    },
  });
  return (
    <DeleteMode
      selection={selection}
      enter={t('users.remove.enter')}
      count={(number) => t('users.remove.count', { number })}
      deletion={deletion}
    />
  );
}

/** /users: the cloud users of the organization (USR-01, USR-04). */
export function UserList(): ReactNode {
  const { t } = useTranslation();
  const { id: own } = useSession();
  const navigate = useNavigate();
  const columns = useMemo(() => userColumns(t), [t]);
  const reason = useCallback((user: Person) => (user.id === own ? t('users.remove.isSelf') : undefined), [own, t]);
  const selection = useSelection(idOf, reason);
  const list: Users = useList({
    spec: userList,
    topics: ['accounts'],
    highlight: 'users',
    fetchPage: fetchUsers,
  });
  return (
    <div className="page page--list">
      <PageHeader
        title={t('users.title')}
        sub={<ListCount list={list} text={(count, shown) => t('users.count', { count, shown })} />}
        actions={
          <>
            <DownloadButton
              fileName="Users_export.csv"
              fetchFile={(language) => fetchUsersFile({ ...list.state.query, language })}
            />
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
        {...tableOf(userList, list)}
        caption={t('users.caption')}
        columns={columns}
        rowId={idOf}
        onOpen={(user) => void navigate({ to: '/users/detail', search: { user: user.id } })}
        selection={selection}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}

import { accounts, shownRole } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from '#i18n';
import type { ListFile } from '../../api/DownloadButton.tsx';
import { ListBar, ListDownload, MOST_IN_JOB } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useList } from '../../api/useList.ts';
import { useSession } from '../../api/session.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { AccessMenu } from './AccessMenu.tsx';
import { DeleteUsers } from './DeleteUsers.tsx';
import { fetchUsers, fetchUsersFile, type Person } from './users.api.ts';
import { organizationUserList, userList } from './users.lists.ts';
import './users.css';

const idOf = (user: Person) => user.id;
const nameOf = (user: Person) => user.email;

function ShownRole({ user }: { user: Person }): ReactNode {
  const { t } = useTranslation();
  const role = shownRole(user);
  if (role === 'none') return <span className="dim">{t('users.role.none')}</span>;
  return typeof role === 'string' ? t(`users.role.${role}`) : role.own;
}

function userColumns(t: TFunction): readonly Column<Person>[] {
  return [
    {
      id: 'name',
      header: t('users.column.name'),
      sort: 'name',
      pinned: true,
      width: 320,
      phone: 'title',
      cell: ({ name, invitation }) => (
        <span className="user-name">
          <span className="strong">{name}</span>
          {invitation !== null && <span className="dim">{t('users.invitation.pending')}</span>}
        </span>
      ),
    },
    { id: 'email', header: t('users.column.email'), sort: 'email', width: 320, phone: 'line', cell: ({ email }) => email },
    {
      id: 'role',
      header: t('users.column.role'),
      width: 140,
      sort: 'role',
      phone: 'aside',
      cell: (user) => (
        <>
          <ShownRole user={user} />
          {user.guestUntil !== null && <span className="dim"> {t('users.guest')}</span>}
        </>
      ),
    },
    {
      id: 'guestUntil',
      header: t('users.column.guestUntil'),
      width: 160,
      optional: true,
      cell: ({ guestUntil }) => (guestUntil === null ? '' : <DateTime moment={guestUntil} />),
    },
    {
      id: 'signedIn',
      header: t('users.column.signedIn'),
      width: 160,
      sort: 'signedIn',
      optional: true,
      cell: ({ signedIn }) =>
        signedIn === null ? <span className="dim">{t('users.never')}</span> : <RelativeTime moment={signedIn} />,
    },
    {
      id: 'secondFactor',
      header: t('users.secondFactor.title'),
      width: 160,
      optional: true,
      cell: ({ secondFactor }) => (
        <StatusDot tone={secondFactor ? 'ok' : 'idle'}>
          {t(secondFactor ? 'users.secondFactor.on' : 'users.secondFactor.off')}
        </StatusDot>
      ),
    },
  ];
}

/**
 * /users: the cloud users of the organization (USR-01).
 * @param org as a part of the page of this organization of a main account, to look at (ATT-03)
 */
export function UserList({ org }: { org?: string }): ReactNode {
  const { t } = useTranslation();
  const { id: own } = useSession();
  const zone = useZone();
  const columns = useMemo(() => userColumns(t), [t]);
  const reason = useCallback((user: Person) => (user.id === own ? t('users.remove.isSelf') : undefined), [own, t]);
  const selection = useSelection(idOf, reason, 'always', nameOf);
  const list = useList({
    spec: org === undefined ? userList : organizationUserList,
    topics: ['accounts'],
    key: [org],
    highlight: 'users',
    fetchPage: (query, signal) => fetchUsers({ ...query, org }, signal),
  });
  const file: ListFile<typeof list.spec> = {
    name: 'Users_export.csv',
    columns: { id: userList.id, columns, known: accounts.accountColumns },
    fetch: (query) => fetchUsersFile({ ...query, org, zone }),
  };
  return (
    <ListPage
      list={list}
      title={t('users.title')}
      count={(count, shown) => t('users.count', { count, shown })}
      actions={
        <>
          <ListDownload list={list} file={file} />
          {org === undefined && <AccessMenu />}
          {org === undefined && <DeleteUsers selection={selection} reload={list.reload} />}
          <Button
            variant="filled"
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) =>
              org === undefined ? (
                <Link to="/users/add" {...props} />
              ) : (
                <Link to="/organization/addUser" search={{ org }} {...props} />
              )
            }
          >
            {t('users.add.open')}
          </Button>
        </>
      }
      caption={t('users.caption')}
      columns={columns}
      rowId={idOf}
      isPart={org !== undefined}
      linkOf={({ id }) =>
        org === undefined
          ? { to: '/users/detail', search: { user: id } }
          : { to: '/organization/user', search: { org, user: id } }
      }
      selection={selection}
      bar={
        <ListBar list={list} selection={selection} most={MOST_IN_JOB} file={file}>
          {org === undefined && <DeleteUsers selection={selection} reload={list.reload} inBar />}
        </ListBar>
      }
      fieldLabel={(field) => t(`users.field.${field}`)}
      filters={[
        filterOf(list, 'role', {
          label: t('users.role.label'),
          all: t('users.role.all'),
          of: (role) => t(`users.role.${role}`),
        }),
      ]}
    />
  );
}

import { IconPlus } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListPage } from '../../api/ListPage.tsx';
import { ListChips } from '../../api/ListTools.tsx';
import { useSession } from '../../api/session.ts';
import { useList } from '../../api/useList.ts';
import { PeopleLink } from '../../entities/people/PeopleLink.tsx';
import { useOrganizationFilter } from '../../entities/organizations/useOrganizationFilter.ts';
import { Button } from '../../ui/controls/Button.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DeleteRole } from './DeleteRole.tsx';
import { RoleForm } from './RoleForm.tsx';
import { fetchRoles, type OwnRole } from './roles.api.ts';
import { roleList } from './roles.lists.ts';

type Open = (dialog: 'edit' | 'remove', role: OwnRole) => void;

function roleColumns(t: TFunction, isMain: boolean, open: Open): readonly Column<OwnRole>[] {
  const limit = ({ limitedTo }: OwnRole) =>
    limitedTo === null
      ? t('apiKeys.limit.all')
      : [...limitedTo.groups.map(({ name }) => name), ...limitedTo.tags].join(t('ui.between')) || t('roles.nothing');
  const owner: Column<OwnRole> = {
    id: 'organization',
    header: t('roles.column.organization'),
    width: 200,
    text: ({ org, orgName }) => (org === null ? t('roles.ofMain') : orgName),
    cell: ({ org, orgName }) => (org === null ? <span className="dim">{t('roles.ofMain')}</span> : orgName),
  };
  return [
    {
      id: 'name',
      header: t('roles.column.name'),
      text: ({ name }) => name,
      pinned: true,
      width: 260,
      phone: 'title',
      cell: (role) => (
        <button type="button" className="link" onClick={() => open('edit', role)}>
          {role.name}
        </button>
      ),
    },
    ...(isMain ? [owner] : []),
    {
      id: 'rights',
      header: t('roles.column.rights'),
      phone: 'aside',
      width: 120,
      text: ({ rights }) => t('roles.rights', { count: rights.length }),
    },
    {
      id: 'sees',
      header: t('apiKeys.limit.label'),
      phone: 'line',
      width: 240,
      text: limit,
    },
    {
      id: 'people',
      header: t('roles.column.people'),
      phone: 'line',
      width: 120,
      text: ({ people }) => t('roles.people', { count: people }),
    },
    {
      id: 'remove',
      header: t('roles.remove.yes'),
      phone: 'line',
      width: 110,
      cell: (role) => (
        <Button size="xs" aria-label={t('roles.remove.label', { name: role.name })} onClick={() => open('remove', role)}>
          {t('roles.remove.yes')}
        </Button>
      ),
    },
  ];
}

const idOf = ({ id }: OwnRole) => id;

/** /roles: roles that an organization made, or a main account for its own people (IAM-03). */
export function RoleList(): ReactNode {
  const { t } = useTranslation();
  const { role: own } = useSession();
  const isMain = own === 'main';
  const [shown, setShown] = useState<
    { readonly dialog: 'add' } | { readonly dialog: 'edit' | 'remove'; readonly role: OwnRole }
  >();
  const close = () => setShown(undefined);
  const columns = useMemo(() => roleColumns(t, isMain, (dialog, role) => setShown({ dialog, role })), [t, isMain]);
  const list = useList({
    spec: roleList,
    topics: ['roles', 'accounts'],
    key: ['roles'],
    fetchPage: ({ limit, offset = 0, org }, signal) => fetchRoles({ limit, offset, ...(org !== undefined && { org }) }, signal),
  });
  const { org } = list.state.search;
  const closeAndReload = () => {
    close();
    list.reload();
  };
  const organization = useOrganizationFilter(list.state.search.org);
  return (
    <ListPage
      list={list}
      title={t('roles.title')}
      back={<PeopleLink />}
      count={(count, total) => t('roles.count', { count, shown: total })}
      actions={
        <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setShown({ dialog: 'add' })}>
          {t('roles.add')}
        </Button>
      }
      note={<p className="dim">{t(isMain ? 'roles.hintMain' : 'roles.hint')}</p>}
      tools={<ListChips list={list} filters={[organization]} />}
      caption={t('roles.title')}
      columns={columns}
      rowId={idOf}
      onOpen={(role) => setShown({ dialog: 'edit', role })}
    >
      {shown?.dialog === 'add' && (
        <RoleForm org={org} hasGroups={!isMain || org !== undefined} linksPeople={!isMain} onClose={closeAndReload} />
      )}
      {shown?.dialog === 'edit' && (
        <RoleForm role={shown.role} hasGroups={shown.role.org !== null} linksPeople={!isMain} onClose={closeAndReload} />
      )}
      {shown?.dialog === 'remove' && <DeleteRole role={shown.role} onClose={closeAndReload} />}
    </ListPage>
  );
}

import { organizations } from '@highline/contract';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { DeleteOrganizations } from './DeleteOrganizations.tsx';
import { fetchOrganizations, fetchOrganizationsFile, type Organization } from './organizations.api.ts';
import { deletingList, organizationList } from './organizations.lists.ts';

const idOf = (organization: Organization) => organization.id;

/** Columns of ORG-01; the devices ratio leads to the devices of that organization. */
function organizationColumns(t: TFunction): readonly Column<Organization>[] {
  return [
    {
      id: 'name',
      header: t('organizations.column.name'),
      sort: 'name',
      pinned: true,
      clip: 280,
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    { id: 'contact', header: t('organizations.column.contact'), sort: 'contact', clip: 280, cell: ({ contacter }) => contacter },
    { id: 'phone', header: t('organizations.column.phone'), sort: 'phone', clip: 200, cell: ({ phone }) => phone },
    { id: 'address', header: t('organizations.column.address'), sort: 'address', clip: 320, cell: ({ address }) => address },
    {
      id: 'devices',
      header: t('organizations.column.devices'),
      sort: 'devices',
      numeric: true,
      cell: ({ id, name, expireDevices }) => (
        <Link
          to="/devices/orgList"
          search={{ org: id }}
          aria-label={`${t('organizations.showDevices', { name })}: ${expireDevices}`}
        >
          {expireDevices}
        </Link>
      ),
    },
  ];
}

/** /organization: the organizations of the main account (ORG-01), and their deletion (ORG-02). */
export function OrganizationList(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const columns = useMemo(() => organizationColumns(t), [t]);
  const selection = useSelection(idOf);
  const spec = selection.active ? deletingList : organizationList;
  const list = useList({
    spec,
    topics: ['organizations', 'devices'],
    highlight: 'organizations',
    fetchPage: fetchOrganizations,
  });
  return (
    <ListPage
      list={list}
      title={t('organizations.title')}
      count={(count, shown) => t('organizations.count', { count, shown })}
      actions={
        <>
          <DownloadButton
            fileName="Organizations_export.csv"
            list={{ id: organizationList.id, columns, known: organizations.organizationColumns }}
            fetchFile={(language, shown) => fetchOrganizationsFile({ ...list.state.query, language, columns: shown })}
          />
          <DeleteOrganizations selection={selection} reload={list.reload} />
          <Button
            variant="filled"
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => <Link to="/organization/add" {...props} />}
          >
            {t('organizations.add')}
          </Button>
        </>
      }
      // Which columns are shown is stored for both.
      id={organizationList.id}
      caption={t('organizations.caption')}
      columns={columns}
      rowId={idOf}
      onOpen={({ id }) => void navigate({ to: '/organization/setting', search: { org: id } })}
      selection={selection}
      fieldLabel={(field) => t(`organizations.field.${field}`)}
    />
  );
}

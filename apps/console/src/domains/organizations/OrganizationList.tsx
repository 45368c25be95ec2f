import { organizations } from '@highline/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from '#i18n';
import type { ListFile } from '../../api/DownloadButton.tsx';
import { ListBar, MOST_IN_JOB, ListDownload } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useList } from '../../api/useList.ts';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { useSelection } from '../../ui/list/useSelection.ts';
import { NeedsAttention, attentionQuery, fleetQuery, useOfflineSpan } from '../overview/index.ts';
import { LazySetupNote } from '../setup/index.ts';
import { DeleteOrganizations } from './DeleteOrganizations.tsx';
import { organizationColumns } from './organization-columns.tsx';
import { fetchOrganizations, fetchOrganizationsFile, type Organization } from './organizations.api.ts';
import { deletingList, organizationList } from './organizations.lists.ts';
import '../overview/overview.css';
import './organizations.css';

const idOf = (organization: Organization) => organization.id;
const nameOf = ({ name }: Organization) => name;

/** What is wrong in any organization, and the share of all devices online (ATT-03). */
function FleetAttention(): ReactNode {
  const [span, setSpan] = useOfflineSpan();
  return (
    <>
      <Suspense>
        <LazySetupNote />
      </Suspense>
      <NeedsAttention query={useQuery(attentionQuery(span))} span={span} onSpan={setSpan} fleet={useQuery(fleetQuery())} />
    </>
  );
}

/**
 * /organization, where a main account starts: what needs attention in its whole fleet, then its organizations with their figures
 * (ORG-01, ATT-03), and their deletion (ORG-02).
 */
export function OrganizationList(): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const mayAdd = isPageOpen(session, '/organization/add');
  const { ownRole } = session;
  const seesFleet = ownRole === null || ['devices.read', 'organizations.read'].every((right) => ownRole.rights.includes(right));
  const columns = useMemo(() => organizationColumns(t), [t]);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const spec = selection.active ? deletingList : organizationList;
  const list = useList({
    spec,
    topics: ['organizations', 'devices'],
    highlight: 'organizations',
    fetchPage: fetchOrganizations,
  });
  const file: ListFile<typeof list.spec> = {
    name: 'Organizations_export.csv',
    columns: { id: organizationList.id, columns, known: organizations.organizationColumns },
    fetch: fetchOrganizationsFile,
  };
  return (
    <ListPage
      list={list}
      title={t('organizations.title')}
      count={(count, shown) => t('organizations.count', { count, shown })}
      actions={
        <>
          <ListDownload list={list} file={file} />
          <DeleteOrganizations selection={selection} reload={list.reload} />
          {mayAdd && (
            <Button
              variant="filled"
              leftSection={<IconPlus size={16} />}
              renderRoot={(props) => <Link to="/organization/add" {...props} />}
            >
              {t('organizations.add')}
            </Button>
          )}
        </>
      }
      // Which columns are shown is stored for both.
      id={organizationList.id}
      caption={t('organizations.caption')}
      emptyAction={
        mayAdd && <Button renderRoot={(props) => <Link to="/organization/add" {...props} />}>{t('organizations.first')}</Button>
      }
      columns={columns}
      rowId={idOf}
      linkOf={({ id }) => ({ to: '/organization/setting', search: { org: id, tab: 'overview' } })}
      selection={selection}
      top={!selection.active && seesFleet && <FleetAttention />}
      bar={
        <ListBar list={list} selection={selection} most={MOST_IN_JOB} file={file}>
          <DeleteOrganizations selection={selection} reload={list.reload} inBar />
        </ListBar>
      }
      fieldLabel={(field) => t(`organizations.field.${field}`)}
      filters={[
        filterOf(list, 'rollout', {
          label: t('organizations.column.rollouts'),
          all: t('organizations.rollouts.all'),
          of: (rollout) => t(`organizations.rollouts.with.${rollout}`),
        }),
      ]}
    />
  );
}

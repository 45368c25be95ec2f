import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from '#i18n';
import { ListStatus } from '../../api/ListStatus.tsx';
import { Loaded } from '../../api/Loaded.tsx';
import { useSession } from '../../api/session.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { lastSearch } from '../../ui/list/last-search.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageTabs } from '../../ui/page/PageTabs.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { loadOrgDeviceList } from '../devices/index.ts';
import { loadGroupList } from '../groups/index.ts';
import { loadLogList } from '../logs/index.ts';
import { loadUserList } from '../users/index.ts';
import { type OrganizationTab, organizationTabs } from './organization-page.ts';
import { organizationQuery } from '../../entities/organizations/organization.api.ts';

type Part = ComponentType<{ org: string }>;

const part = (load: () => Promise<Part>) => lazy(async () => ({ default: await load() }));

/** Each tab is loaded when it is opened, with its messages. */
const parts: Readonly<Record<OrganizationTab, Part>> = {
  overview: part(async () => (await import('./OrganizationOverview.tsx')).OrganizationOverview),
  devices: part(async () => {
    const { OrgDeviceList } = await loadOrgDeviceList();
    return () => <OrgDeviceList isPart />;
  }),
  groups: part(async () => (await loadGroupList()).GroupList),
  users: part(async () => (await loadUserList()).UserList),
  log: part(async () => (await loadLogList()).LogList),
  settings: part(async () => (await withMessages(['users'], () => import('./OrganizationSettings.tsx'))()).OrganizationSettings),
};

/** The page that shows the same as a tab, of all organizations or of the own one: the tab is open to those who may open it. */
const pageOf: Readonly<Record<Exclude<OrganizationTab, 'settings'>, string>> = {
  overview: '/devices/orgList',
  devices: '/devices/orgList',
  groups: '/groups/list',
  users: '/organization/user',
  log: '/logs',
};

/** /organization/setting?org=…&tab=…: all that a main account sees of one organization (ATT-03, ORG-04). */
export function OrganizationPage(): ReactNode {
  const { t } = useTranslation();
  const { org = '', tab: named = 'settings' } = useSearch({ from: '/signed-in/organization/setting' });
  const session = useSession();
  const tabs = organizationTabs.filter((each) => each === 'settings' || isPageOpen(session, pageOf[each]));
  const tab = tabs.includes(named) ? named : 'settings';
  const query = useQuery(organizationQuery(org));
  const Shown = parts[tab];
  const back = (
    <Link to="/organization" search={lastSearch('/organization')}>
      {t('organizations.title')}
    </Link>
  );
  return (
    <div className="page">
      <PageHeader
        title={query.data?.name ?? t('organizations.setting.title')}
        back={back}
        sub={
          // The lists of the other tabs say it of themselves.
          tab === 'overview' ? <ListStatus updatedAt={query.dataUpdatedAt} /> : query.data?.contacter || '\u00A0'
        }
      />
      <Loaded query={query} gone={t('organizations.setting.gone')}>
        {() => (
          <>
            <PageTabs label={t('organizations.tabs.label')}>
              {tabs.map((each) => (
                <Link
                  key={each}
                  to="/organization/setting"
                  search={each === 'settings' ? { org } : { org, tab: each }}
                  className="tabs__tab"
                  activeOptions={{ exact: true }}
                  activeProps={{}}
                  aria-current={each === tab ? 'page' : undefined}
                >
                  {t(`organizations.tabs.${each}`)}
                </Link>
              ))}
            </PageTabs>
            <Suspense fallback={<Skeleton lines={5} />}>
              <Shown key={tab} org={org} />
            </Suspense>
          </>
        )}
      </Loaded>
    </div>
  );
}

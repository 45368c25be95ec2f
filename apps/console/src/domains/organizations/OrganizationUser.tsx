import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../api/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { LimitCard, roleOf, userQuery } from '../users/index.ts';

/** /organization/user?org=…&user=…: which vehicles a user of an organization sees, for its main account (IAM-04). */
export function OrganizationUser(): ReactNode {
  const { t } = useTranslation();
  const { org = '', user: id } = useSearch({ from: '/signed-in/organization/user' });
  const query = useQuery(userQuery(id));
  const user = query.data?.user;
  const back = (
    <Link to="/organization/setting" search={{ org, tab: 'users' }}>
      {t('users.title')}
    </Link>
  );
  const role = user && (user.ownRole?.name ?? t(`users.role.${roleOf(user)}`));
  return (
    <div className="page">
      <PageHeader
        title={user?.name ?? t('users.detail.title')}
        back={back}
        sub={user === undefined ? '\u00A0' : `${user.email} · ${role}`}
      />
      <Loaded query={query} gone={t('users.detail.gone')} skeleton={<Skeleton lines={3} />}>
        {(shown) => <LimitCard key={shown.user.id} user={shown.user} org={org} />}
      </Loaded>
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';

/** The way back to the list of people, from the pages of how they sign in and what they may do. */
export function PeopleLink(): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  return <Link to={isMain ? '/colleagues' : '/users'}>{t(isMain ? 'shell.people.colleagues' : 'shell.people.users')}</Link>;
}

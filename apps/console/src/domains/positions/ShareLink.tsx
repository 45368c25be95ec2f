import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../api/session.ts';

/** The way to a link that shows this vehicle to people without an account; for those who may make one (RPM-06). */
export function ShareLink({ device }: { readonly device: string }): ReactNode {
  const { t } = useTranslation();
  if (useRoleFor('links') === 'user') return null;
  return (
    <Link to="/links" search={{ device }}>
      {t('positions.share')}
    </Link>
  );
}

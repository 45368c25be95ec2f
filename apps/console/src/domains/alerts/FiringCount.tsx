import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { alertCountQuery } from './alert-count.api.ts';
import './firing-count.css';

const MOST_SHOWN = 99;

/** How many alerts are firing and not acknowledged; nothing while there is none. */
export function FiringCount(): ReactNode {
  const { t } = useTranslation();
  const { firing = 0, critical = 0 } = useQuery(alertCountQuery).data ?? {};
  if (firing === 0) return null;
  return (
    <span className="firing-count" data-critical={critical > 0 || undefined}>
      <span aria-hidden="true">{firing > MOST_SHOWN ? `${MOST_SHOWN}+` : firing}</span>
      <span className="unseen">{t('shell.alertsFiring', { count: firing })}</span>
    </span>
  );
}

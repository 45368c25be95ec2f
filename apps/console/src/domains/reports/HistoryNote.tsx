import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { formatDate } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { historyBegins } from '../../ui/time/period.ts';
import { organizationQuery } from '../../entities/organizations/organization.api.ts';

/** How far back readings and history of the organization go; nothing before that is known. */
export function HistoryNote(): ReactNode {
  const { t } = useTranslation();
  const now = useNow();
  const organization = useQuery(organizationQuery(useSession().org?.id)).data;
  if (organization === undefined || organization === null) return null;
  const { retentionDays, maxRetentionDays } = organization;
  const days = Math.min(retentionDays ?? maxRetentionDays, maxRetentionDays);
  return (
    <p className="dim days__history">
      {t('reports.history', { count: days, since: formatDate(historyBegins(now, days), 'UTC') })}
    </p>
  );
}

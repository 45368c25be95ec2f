import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { formatDate } from '../../ui/time/format.ts';
import type { OutageTabProps } from './tab.ts';

/** What counts, and since when, where less is kept than was chosen. */
export function Intro({ since }: Pick<OutageTabProps, 'since'>): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  return (
    <p className="dim">
      {t('outages.intro')} {isMain && t('outages.keptOfEach')}
      {since !== undefined && t('outages.keptSince', { since: formatDate(since, 'UTC') })}
    </p>
  );
}

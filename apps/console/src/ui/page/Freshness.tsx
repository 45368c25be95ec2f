import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ageText } from '../time/RelativeTime.tsx';
import { ageOf } from '../time/format.ts';
import { useNow } from '../time/now.ts';
import { useRefreshPaused } from '../refresh.ts';

export interface FreshnessProps {
  /** When the data came, in ms; 0 = not yet. */
  readonly updatedAt: number;
  readonly link: 'live' | 'reconnecting';
}

/** 'Updated 12 s ago · live': the age of the data, and whether updates arrive automatically. */
export function Freshness({ updatedAt, link }: FreshnessProps): ReactNode {
  const { t } = useTranslation();
  const now = useNow();
  const paused = useRefreshPaused();
  // Reserves the line, so that nothing moves when the data arrives.
  if (updatedAt === 0) return <span>&nbsp;</span>;
  const age = ageText(ageOf(new Date(updatedAt), now), t);
  return (
    <span>
      {t('ui.updated', { age })} · {paused ? t('ui.live.paused') : t(`ui.live.${link}`)}
    </span>
  );
}

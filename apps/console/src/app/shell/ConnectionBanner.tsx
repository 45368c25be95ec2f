import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useLostSince } from '../../api/connection.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';

/** Shown while the server cannot be reached: since when, and that the page may be old (ATT-05). */
export function ConnectionBanner(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const since = useLostSince();
  if (since === null) return null;
  return (
    <div className="connection">
      <IconPlugConnectedX size={18} stroke={1.7} aria-hidden />
      {/* Announced once: its age changes every second. */}
      <span role="alert">{t('shell.lost', { time: formatDateTime(new Date(since), zone) })}</span>
      <span className="connection__age">
        <RelativeTime moment={new Date(since)} />
      </span>
    </div>
  );
}

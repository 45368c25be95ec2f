import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatUptime } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { durationParts } from './duration.ts';

/** A duration as text: '3 h 12 min'. */
export function durationText(seconds: number, t: TFunction): string {
  return durationParts(seconds)
    .map(({ unit, count }) => t(`devicePage.duration.${unit}`, { count }))
    .join(' ');
}

/** How long the router has been connected, running with the clock. @param since epoch seconds */
export function ConnectedFor({ since }: { since: number }): ReactNode {
  const { t } = useTranslation();
  const now = useNow();
  return t('devicePage.connectedFor', { time: durationText(now.getTime() / 1000 - since, t) });
}

/** An uptime that runs on from where it was loaded. @param loadedAt epoch milliseconds */
export function RunningUptime({ seconds, loadedAt }: { seconds: number; loadedAt: number }): ReactNode {
  const now = useNow();
  return formatUptime(seconds + Math.max(0, (now.getTime() - loadedAt) / 1000));
}

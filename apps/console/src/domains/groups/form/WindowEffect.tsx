import type { rollouts } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatDateTime, formatNumber } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';

const lacks = [
  ['noIgnition', 'ignition'],
  ['noPosition', 'position'],
  ['noVoltage', 'voltage'],
  ['noSignal', 'signal'],
  ['noUplink', 'uplink'],
] as const;

interface WindowEffectProps {
  readonly impact: rollouts.WindowImpact | null | undefined;
  /** The hours are those of each vehicle's own time zone: there is no one time at which they begin. */
  readonly isLocal: boolean;
}

/** When the hours of a window begin, and which routers would wait because they do not report what it needs (WIN-02). */
export function WindowEffect({ impact, isLocal }: WindowEffectProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  if (!impact) return null;
  const { opens } = impact;
  const begins =
    opens === null ? t('rolloutOptions.window.openNow') : t('rolloutOptions.window.opens', { time: formatDateTime(opens, zone) });
  return (
    <div className="window-effect">
      <p>{isLocal ? t('rolloutOptions.window.opensLocal') : begins}</p>
      {lacks.map(
        ([count, reading]) =>
          impact[count] > 0 && (
            <p key={count} className="warn">
              {t(`rolloutOptions.window.lacks.${reading}`, { count: impact[count], shown: formatNumber(impact[count]) })}
            </p>
          ),
      )}
    </div>
  );
}

import type { rollouts } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { sentences } from '../../../ui/sentences.ts';
import { formatNumber } from '../../../ui/time/format.ts';

export interface FirstEffectProps {
  /** Null and undefined: all begin at once. */
  readonly first: rollouts.FirstImpact | null | undefined;
  /** How it goes on. */
  readonly rollout: { readonly rule: rollouts.WaveRule; readonly hours: number | string | null };
}

/** What goes first, by name, and in which waves the others follow (WIN-01). */
export function FirstEffect({ first, rollout }: FirstEffectProps): ReactNode {
  const { t } = useTranslation();
  if (!first) return null;
  const { routers, offline, vehicles, waves } = first;
  const rest = routers - vehicles.length;
  const listed = vehicles.join(t('ui.between'));
  const names = rest > 0 ? t('rolloutOptions.effects.names', { names: listed, rest: formatNumber(rest) }) : listed;
  const followers = waves.filter((count) => count > 0);
  const wave = (count: number) => t('rolloutOptions.effects.wave', { count, shown: formatNumber(count) });
  return (
    <ol className="first-effect">
      {routers > 0 && (
        <li>
          {sentences([
            t('rolloutOptions.effects.first', { count: routers, shown: formatNumber(routers), names }),
            ...(offline > 0 ? [t('rolloutOptions.effects.offline', { count: offline, shown: formatNumber(offline) })] : []),
          ])}
        </li>
      )}
      {followers.map((count, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a wave has no other name than its number
        <li key={index}>
          {index === 0 && routers === 0
            ? wave(count)
            : sentences([t(`rolloutOptions.effects.after.${rollout.rule}`, { count: Number(rollout.hours) }), wave(count)])}
        </li>
      ))}
    </ol>
  );
}

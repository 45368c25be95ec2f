import type { rollouts } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { sentences } from '../../../ui/sentences.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import type { Target } from './transfer.api.ts';

/** Vehicles that are named before the rest is counted. */
const NAMED = 5;
const kinds = ['firmware', 'config'] as const;

export interface TransferImpactProps {
  readonly impact: rollouts.Arrivals;
  readonly target: Target;
}

/** Which vehicles restart or reconnect by what the target has bound in its default group, and their way back; nothing where none does. */
export function TransferImpact({ impact, target }: TransferImpactProps): ReactNode {
  const { t } = useTranslation();
  const parts = kinds.flatMap((kind) => {
    const arrival = impact[kind];
    return arrival !== null && arrival.change > 0 ? [{ kind, arrival, now: arrival.change - arrival.offline }] : [];
  });
  if (parts.length === 0) return null;
  return (
    <div className="transfer__impact" role="status">
      {parts.map(({ kind, arrival: { name: file, vehicles, offline }, now }) => {
        const names = vehicles.slice(0, NAMED);
        const rest = now - names.length;
        return (
          <div key={kind}>
            <p>
              {sentences([
                t(`transfer.bound.${kind}`, { name: target.name, file }),
                ...(offline > 0 ? [t('transfer.offline', { count: offline, shown: formatNumber(offline) })] : []),
                // Last: the names follow it.
                ...(now > 0 ? [t(`transfer.now.${kind}`, { count: now, shown: formatNumber(now) })] : []),
              ])}
            </p>
            {now > 0 && (
              <ul className="dialog__items">
                {names.map((vehicle) => (
                  <li key={vehicle}>{vehicle}</li>
                ))}
                {rest > 0 && <li>{t('ui.dialog.more', { count: rest })}</li>}
              </ul>
            )}
          </div>
        );
      })}
      <p>{t('transfer.wayBack')}</p>
    </div>
  );
}

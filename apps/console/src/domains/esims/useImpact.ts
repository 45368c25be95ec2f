import type { ConnectionChange, ConnectionImpact } from '@highline/contract';
import { useCallback } from 'react';
import { useTranslation } from '#i18n';
import { runConfirmed } from '../../api/confirmed.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { formatNumber } from '../../ui/time/format.ts';
import type { Confirmed } from './esims.api.ts';

/** The number of vehicles whose connection an action changes. */
export function changedVehicles({ carrier, unreachable, accessPoint }: ConnectionImpact): number {
  return carrier + unreachable + accessPoint;
}

/** The impact on one vehicle as a sentence. */
export function useChangeSentence(): (change: ConnectionChange) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ vehicle, serial, kind, from, to }: ConnectionChange) => {
      const name = vehicle === '' ? serial : t('esims.impact.vehicle', { vehicle, serial });
      if (kind === 'unreachable') return t('esims.impact.unreachable', { name });
      if (kind === 'access-point') return t('esims.impact.accessPoint', { name, from: from === '' ? '--' : from, to });
      return from === '' ? t('esims.impact.carrierUnknown', { name, to }) : t('esims.impact.carrier', { name, from, to });
    },
    [t],
  );
}

/** Confirms a change of connections: which vehicles are affected, and how they recover. @returns whether to continue */
export function useConfirmImpact(): (impacts: readonly ConnectionImpact[], yes: string) => Promise<boolean> {
  const { t } = useTranslation();
  const sentenceOf = useChangeSentence();
  return useCallback(
    (impacts, yes) => {
      const named = impacts.flatMap(({ vehicles }) => vehicles);
      const count = impacts.reduce((sum, impact) => sum + changedVehicles(impact), 0);
      const isLost = impacts.some(({ unreachable }) => unreachable > 0);
      const [only] = named;
      const text =
        count === 1 && only !== undefined ? sentenceOf(only) : t('esims.impact.many', { count, shown: formatNumber(count) });
      return confirmAction({
        title: t('esims.impact.title'),
        text,
        ...(count === 1 ? {} : { items: named.map((change) => sentenceOf(change)) }),
        means: t(isLost ? 'esims.impact.noWayBack' : 'esims.impact.wayBack'),
        yes,
        no: t('ui.cancel'),
        effect: isLost ? 'disruptive' : 'ordinary',
      });
    },
    [t, sentenceOf],
  );
}

/**
 * Runs an action that may change connections: checks its impact, confirms it, and then does exactly what was confirmed. If the impact
 * changes in between, it is confirmed again.
 * @returns whether it was done
 * @throws ApiError of the calls
 */
export function useConfirmedRun(): (run: (query: Confirmed) => Promise<ConnectionImpact>, yes: string) => Promise<boolean> {
  const confirm = useConfirmImpact();
  return useCallback(
    async (run, yes) => {
      const ask = async (impact: ConnectionImpact) => changedVehicles(impact) === 0 || confirm([impact], yes);
      return runConfirmed(await run({ dryRun: '1' }), ask, (confirmed) => run({ confirmed }));
    },
    [confirm],
  );
}

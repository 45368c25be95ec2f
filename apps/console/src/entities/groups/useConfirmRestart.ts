import type { rollouts } from '@highline/contract';
import { useCallback } from 'react';
import { useTranslation } from '#i18n';
import { confirmAction } from '../../ui/dialogs.ts';
import { sentences } from '../../ui/sentences.ts';
import { formatNumber } from '../../ui/time/format.ts';

type Impact = rollouts.Impact;

/** The binding that starts immediately; null or undefined = none. */
export interface Beginning {
  readonly firmware?: Impact | null | undefined;
  readonly config?: Impact | null | undefined;
  /** The routers that go first; null or undefined = all at once. */
  readonly first?: rollouts.FirstImpact | null | undefined;
  readonly waves?: { readonly rule: rollouts.WaveRule; readonly hours?: number | null | undefined } | null | undefined;
  /** Routers begin only within a window. */
  readonly isLimited?: boolean;
  /** What is bound in the group that devices join, as sentences. */
  readonly bound?: string;
}

/** Vehicles that the question names before it counts the rest. */
const NAMED = 5;

const connected = (impact: Impact | null | undefined) => (impact ? impact.change - impact.offline : 0);

/**
 * Confirms an immediate restart or reconnect of vehicles: how many, the first ones by name, and how they recover.
 * @returns whether to continue; true without a question when none is affected
 */
export function useConfirmRestart(): (beginning: Beginning, yes: string) => Promise<boolean> {
  const { t } = useTranslation();
  return useCallback(
    async ({ firmware, config, first, waves, isLimited = false, bound = '' }, yes) => {
      const [restarts, reconnects] = [connected(firmware), connected(config)];
      if (restarts + reconnects === 0) return true;
      const kind = restarts > 0 ? 'restart' : 'reconnect';
      const all = restarts > 0 ? restarts : reconnects;
      const isStaged = first !== null && first !== undefined && first.routers > 0;
      const count = isStaged ? first.routers - first.offline : all;
      if (count === 0) return true;
      const offline = isStaged ? 0 : Math.max(firmware?.offline ?? 0, config?.offline ?? 0);
      const known = (isStaged ? first.vehicles : (restarts > 0 ? firmware : config)?.vehicles) ?? [];
      const names = known.slice(0, Math.min(NAMED, count));
      const rest = count - names.length;
      const { rule = 'success', hours } = waves ?? {};
      const downgrade = firmware?.older ?? 0;
      return confirmAction({
        title: t(`groups.confirm.${kind}`, { count, shown: formatNumber(count) }),
        text: sentences([
          bound,
          t(`groups.confirm.${kind}Text`),
          ...(isLimited ? [t('groups.confirm.window')] : []),
          ...(downgrade > 0
            ? [
                t('groups.confirm.older', {
                  count: downgrade,
                  shown: formatNumber(downgrade),
                  versions: firmware?.newer.join(t('ui.between')),
                }),
              ]
            : []),
        ]),
        items: [...names, ...(rest > 0 ? [t('groups.confirm.more', { count: rest, shown: formatNumber(rest) })] : [])],
        means: sentences([
          ...(isStaged ? [t(`groups.confirm.after.${rule}`, { count: hours ?? 0 })] : []),
          t('groups.confirm.wayBack'),
          ...(offline > 0 ? [t('groups.confirm.offline', { count: offline, shown: formatNumber(offline) })] : []),
        ]),
        yes,
        no: t('ui.cancel'),
        effect: 'ordinary',
      });
    },
    [t],
  );
}

/**
 * Confirms that devices move into a group whose bindings restart or reconnect them immediately, and names these bindings.
 * @param group its name
 * @param before a sentence that precedes the others; '' = none
 * @returns whether to continue; true without a question when none is affected
 */
export function useConfirmMove(): (
  group: string,
  impact: Pick<rollouts.Arrivals, rollouts.BindingKind>,
  yes: string,
  before?: string,
) => Promise<boolean> {
  const { t } = useTranslation();
  const confirm = useConfirmRestart();
  return useCallback(
    async (group, { firmware, config }, yes, before = '') => {
      const bound = [
        before,
        ...(connected(firmware) > 0 ? [t('groups.confirm.boundFirmware', { group, file: firmware?.name })] : []),
        ...(connected(config) > 0 ? [t('groups.confirm.boundConfig', { group, file: config?.name })] : []),
      ];
      return confirm({ firmware, config, bound: sentences(bound) }, yes);
    },
    [t, confirm],
  );
}

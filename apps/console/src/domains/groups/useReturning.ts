import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../ui/time/format.ts';
import { fetchMoveImpact } from '../../entities/groups/group.api.ts';

/** Vehicles that the question names. */
const NAMED = 5;

/** Loads what the default group starts at once on the devices of deleted groups: sentences for the question, and its `confirmation`. */
export function useReturning(): (keys: string[]) => Promise<{ readonly effects: string[]; readonly confirmation: string }> {
  const { t } = useTranslation();
  return async (keys) => {
    const { firmware, config, confirmation } = await fetchMoveImpact({ group: DEFAULT_GROUP_KEY, from: keys });
    const effects = (
      [
        ['restart', firmware],
        ['reconnect', config],
      ] as const
    ).flatMap(([kind, impact]) => {
      const count = impact === null ? 0 : impact.change - impact.offline;
      const names = impact?.vehicles.slice(0, NAMED).join(t('ui.between'));
      return count === 0 ? [] : [t(`groups.remove.${kind}`, { count, shown: formatNumber(count), names })];
    });
    return { effects, confirmation };
  };
}

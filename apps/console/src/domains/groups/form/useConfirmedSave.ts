import { DEFAULT_GROUP_KEY, type rollouts } from '@highline/contract';
import { useTranslation } from '#i18n';
import type { Impact } from './files.api.ts';
import { fetchMoveImpact } from '../../../entities/groups/group.api.ts';
import type { SeenPart } from './save.ts';
import { useConfirmMove, useConfirmRestart } from '../../../entities/groups/useConfirmRestart.ts';
import type { useGroupForm } from './useGroupForm.ts';
import type { useProblems } from './useProblems.ts';
import { changedFiles } from './values.ts';

/**
 * Save a group after the user has confirmed every restart and reconnect that begins at once: by the changed files, and by what is bound
 * already where devices join or leave.
 * @throws ApiError when an impact cannot be loaded
 */
export function useConfirmedSave(
  { base, group: own, values, save }: ReturnType<typeof useGroupForm>,
  { impact, rollout: { input: rollout, kept } }: ReturnType<typeof useProblems>,
): () => Promise<void> {
  const { t } = useTranslation();
  const confirmRestart = useConfirmRestart();
  const confirmMove = useConfirmMove();
  const isLimited = Boolean(rollout?.window ?? kept.window);
  const waves = rollout?.waves ?? kept.waves;
  const changed = changedFiles(base.values, values);
  const { add, remove } = values.moves;
  const yes = t('groups.confirm.save');
  const ask = (part: SeenPart, effect: Impact | rollouts.Arrivals) => {
    if (part === 'leaving') return confirmMove('default', effect as rollouts.Arrivals, yes);
    if (part !== 'joining') return confirmRestart({ [part]: effect as Impact, first: impact.first, waves, isLimited }, yes);
    // A changed file has its own question, for all devices.
    const unchanged = { ...(effect as rollouts.Arrivals), ...Object.fromEntries(changed.map((kind) => [kind, null])) };
    return confirmMove(base.values.name, unchanged, yes);
  };
  return async () => {
    const seen: Partial<Record<SeenPart, string>> = {};
    // The screen may be older than the latest changes of the routers.
    const isImmediate = changed.length > 0 && impact.requested && values.schedule === 'immediate';
    const { data } = isImmediate ? await impact.query.refetch({ throwOnError: true }) : {};
    const shown: Partial<Record<rollouts.BindingKind, Impact>> = {};
    for (const kind of changed) {
      const effect = data?.[kind];
      if (effect) [shown[kind], seen[kind]] = [effect, effect.confirmation];
    }
    if (!(await confirmRestart({ ...shown, first: data?.first, waves, isLimited }, yes))) return;
    const moves = [
      ['joining', own, add],
      ['leaving', DEFAULT_GROUP_KEY, remove],
    ] as const;
    for (const [part, group, devices] of moves) {
      if (group === undefined || devices.length === 0) continue;
      // One question after the other.
      const effect = await fetchMoveImpact({ group, add: devices.map(({ device }) => device) });
      if (!(await ask(part, effect))) return;
      seen[part] = effect.confirmation;
    }
    await save({ seen, ask, rollout });
  };
}

import { rollouts } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import { useNotAllowed } from '../../../api/useNotAllowed.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { useHasPassed } from '../../../ui/time/now.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { rolloutsQuery } from '../rollout/rollouts.api.ts';
import { useFirstWave } from './FirstWaveField.tsx';
import { useImpact } from './ImpactNote.tsx';
import { isReportInterval, useReportIntervalFault } from './ReportIntervalField.tsx';
import { safetyLimitFault, limits } from './SafetyLimitFields.tsx';
import { windowTexts } from './WindowFields.tsx';
import {
  isWaveHours,
  keptOf,
  type RolloutBefore,
  rolloutInput,
  sharePresets,
  windowFault,
  windowRanges,
} from './rollout-draft.ts';
import type { useGroupForm } from './useGroupForm.ts';
import { changedFiles, sameFile } from './values.ts';

export type Form = ReturnType<typeof useGroupForm>;

/** The files that saving binds: each begins a rollout. */
export function boundKinds({ base, values }: Form) {
  return changedFiles(base.values, values).filter((kind) => values[kind].pk !== '');
}

/** What the rollouts have that a save begins again with the same file. */
function useRolloutBefore(form: Form): RolloutBefore {
  const { base, values, group } = form;
  const present = useQuery({ ...rolloutsQuery(group ?? ''), enabled: group !== undefined }).data ?? [];
  const bound = boundKinds(form);
  const kinds: readonly rollouts.RolloutKind[] = bound.filter((kind) => sameFile(base.values[kind], values[kind]));
  const same = present.filter(({ kind }) => kinds.includes(kind));
  return {
    mayBeKept: kinds.length === bound.length,
    waves: same.find(({ waves }) => waves !== null)?.waves ?? null,
    window: same.find(({ window }) => window !== null)?.window ?? null,
  };
}

/** Why how it goes on cannot be saved. */
function usePlanProblem({ values: { rollout, canaries } }: Form): string | undefined {
  const { t } = useTranslation();
  if (rollout.rule === 'hours' && !isWaveHours(rollout.hours))
    return t('rolloutOptions.goOn.hoursRange', { most: formatNumber(rollouts.MAX_WAVE_HOURS) });
  // An empty number is that of the rollout before.
  const hasWaves = rollout.first !== 'count' || canaries !== 0 || sharePresets[rollout.shares].length > 0;
  return rollout.rule !== 'success' && !hasWaves ? t('rolloutOptions.goOn.needsFirst') : undefined;
}

/** Why a window cannot be saved. */
function useWindowProblem({ values: { rollout } }: Form): string | undefined {
  const { t } = useTranslation();
  const fault = windowFault(rollout.window);
  if (fault === undefined) return undefined;
  if (fault === 'needed' || fault === 'noDay') return t(`rolloutOptions.window.${fault}`);
  const [least, most] = windowRanges[fault];
  return t('rolloutOptions.window.range', { field: t(`rolloutOptions.window.${windowTexts[fault]}`), least, most });
}

/** The options of the rollout that a save begins, what it keeps of the one before, and why it cannot be saved with them. */
function useRolloutInput(form: Form) {
  const { values, group } = form;
  const { first, problem } = useFirstWave(group, values.rollout);
  const zone = useZone();
  const before = useRolloutBefore(form);
  const kept = keptOf(values.rollout, before);
  const planProblem = usePlanProblem(form);
  const windowProblem = useWindowProblem(form);
  if (boundKinds(form).length === 0) return { before, kept };
  const wrong = (kept.waves ? undefined : planProblem) ?? (kept.window ? undefined : windowProblem);
  if (wrong !== undefined) return { before, kept, problem: wrong };
  return {
    before,
    kept,
    input: rolloutInput(values.rollout, first, zone, before),
    problem: kept.waves ? undefined : problem,
  };
}

/** Why it cannot be saved yet; undefined when it can. */
export function useProblems(form: Form) {
  const { t } = useTranslation();
  const { base, values } = form;
  const intervalFault = useReportIntervalFault();
  const rollout = useRolloutInput(form);
  const impact = useImpact(form.group, base.values, values, rollout.input);
  const otherModels = impact.requested ? (impact.firmware?.otherModels ?? []) : [];
  const binding = changedFiles(base.values, values).includes('firmware');
  const changed = values.postpone === base.values.postpone ? null : values.postpone;
  const past = useHasPassed(changed === null ? null : changed * 1000);
  const wrongModel =
    otherModels.length === 0 || !binding
      ? undefined
      : t('groups.impact.otherModels', {
          count: impact.firmware?.ofOtherModel ?? 0,
          shown: formatNumber(impact.firmware?.ofOtherModel ?? 0),
          routers: formatNumber(impact.firmware?.routers ?? 0),
          model: values.firmware.model ?? values.firmware.name,
          models: otherModels.join(t('ui.between')),
        });
  const nameless = values.name.trim() === '' ? t('groups.form.nameNeeded') : undefined;
  const invalidLimit =
    boundKinds(form).length === 0
      ? undefined
      : (['failureThreshold', 'canaries'] as const).find((safetyLimit) => safetyLimitFault(safetyLimit, values[safetyLimit]));
  const [least, most] = invalidLimit === undefined ? [] : limits[invalidLimit];
  const safetyLimit = invalidLimit === undefined ? undefined : t('groups.form.safetyLimitProblem', { least, most });
  const dateless = values.postponed && values.postpone === null;
  const time = dateless
    ? (form.field('postpone').error ?? t('ui.form.required', { field: t('groups.form.postponeDay') }))
    : past
      ? t('groups.form.past')
      : undefined;
  const interval = isReportInterval(values.reportSeconds) ? undefined : intervalFault;
  const notAllowed = useNotAllowed('groups.saveWhole');
  const reason = notAllowed ?? nameless ?? wrongModel ?? time ?? safetyLimit ?? rollout.problem ?? interval;
  return { impact, past, wrongModel, rollout, notAllowed, reason };
}

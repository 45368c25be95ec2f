import { rollouts } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../../ui/time/format.ts';
import { useHasPassed } from '../../../ui/time/now.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { rolloutsQuery } from '../rollout/rollouts.api.ts';
import { useFirstWave } from './FirstWaveField.tsx';
import { useImpact } from './ImpactNote.tsx';
import { isReportInterval, useReportIntervalFault } from './ReportIntervalField.tsx';
import { safetyLimitFault, limits } from './SafetyLimitFields.tsx';
import { windowTexts } from './WindowFields.tsx';
import { isWaveHours, rolloutInput, sharePresets, windowFault, windowRanges } from './rollout-draft.ts';
import type { useGroupForm } from './useGroupForm.ts';
import { changedFiles } from './values.ts';

export type Form = ReturnType<typeof useGroupForm>;

/** The files that saving binds: each begins a rollout. */
export function boundKinds({ base, values }: Form) {
  return changedFiles(base.values, values).filter((kind) => values[kind].pk !== '');
}

/** The options of the rollout that a save begins, and why it cannot be saved with them. */
function useRolloutInput(form: Form) {
  const { t } = useTranslation();
  const { values, group } = form;
  const { rollout } = values;
  const { first, problem } = useFirstWave(group, rollout);
  const zone = useZone();
  const present = useQuery({ ...rolloutsQuery(group ?? ''), enabled: group !== undefined }).data ?? [];
  const isBinding = boundKinds(form).length > 0;
  if (!isBinding) return {};
  if (rollout.rule === 'hours' && !isWaveHours(rollout.hours))
    return { problem: t('rolloutOptions.goOn.hoursRange', { most: formatNumber(rollouts.MAX_WAVE_HOURS) }) };
  // An empty number is that of the rollout before.
  const hasWaves = rollout.first !== 'count' || values.canaries !== 0 || sharePresets[rollout.shares].length > 0;
  if (rollout.rule !== 'success' && !hasWaves) return { problem: t('rolloutOptions.goOn.needsFirst') };
  const fault = windowFault(rollout.window);
  if (fault === 'needed' || fault === 'noDay') return { problem: t(`rolloutOptions.window.${fault}`) };
  if (fault !== undefined) {
    const [least, most] = windowRanges[fault];
    return {
      problem: t('rolloutOptions.window.range', { field: t(`rolloutOptions.window.${windowTexts[fault]}`), least, most }),
    };
  }
  const before = { waves: present.some(({ waves }) => waves !== null), window: present.some(({ window }) => window !== null) };
  return { input: rolloutInput(rollout, first, zone, before), problem };
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
          models: otherModels.join(', '),
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
    ? t('ui.form.required', { field: t('groups.form.postponeDay') })
    : past
      ? t('groups.form.past')
      : undefined;
  const interval = isReportInterval(values.reportSeconds) ? undefined : intervalFault;
  const reason = nameless ?? wrongModel ?? time ?? safetyLimit ?? rollout.problem ?? interval;
  return { impact, past, wrongModel, rollout: rollout.input, reason };
}

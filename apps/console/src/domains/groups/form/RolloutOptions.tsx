import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { FirstWaveField } from './FirstWaveField.tsx';
import { keptOf, type RolloutBefore } from './rollout-draft.ts';
import { SafetyLimitField, type SafetyLimitFieldProps } from './SafetyLimitFields.tsx';
import { WaveFields } from './WaveFields.tsx';
import { WindowFields } from './WindowFields.tsx';
import type { GroupValues } from './values.ts';

export interface RolloutOptionsProps extends Pick<SafetyLimitFieldProps, 'group' | 'kinds'> {
  readonly values: GroupValues;
  /** What the rollout keeps unless something else is chosen. */
  readonly before: RolloutBefore;
  readonly onChange: (part: Partial<GroupValues>) => void;
}

/** The options of the rollout that a save begins: what goes first, how it goes on, what stops it, and when (WIN-01, WIN-02). */
export function RolloutOptions({ group, kinds, values, before, onChange }: RolloutOptionsProps): ReactNode {
  const { t } = useTranslation();
  const { rollout } = values;
  const kept = keptOf(rollout, before);
  const setPlan = (part: Partial<typeof rollout>) => onChange({ rollout: { ...rollout, keepsPlan: false, ...part } });
  const keepPlan = () => onChange({ canaries: null, rollout: { ...rollout, keepsPlan: true } });
  const setWindow = (part: Partial<typeof rollout.window>) =>
    onChange({ rollout: { ...rollout, window: { ...rollout.window, keeps: false, ...part } } });
  const limit = { group, kinds, values };
  return (
    <fieldset className="rollout-options" aria-label={t('groups.form.safetyLimits')}>
      <FirstWaveField
        group={group}
        moves={values.moves}
        draft={rollout}
        onChange={setPlan}
        count={
          <SafetyLimitField
            limit="canaries"
            {...limit}
            onChange={(part) => onChange({ ...part, rollout: { ...rollout, keepsPlan: false } })}
          />
        }
        {...(before.mayBeKept && before.waves ? { isKept: kept.waves !== null, onKeep: keepPlan } : {})}
      />
      {kept.waves === null && <WaveFields draft={rollout} onChange={setPlan} />}
      <SafetyLimitField limit="failureThreshold" {...limit} onChange={onChange} />
      <WindowFields draft={rollout.window} canKeep={before.mayBeKept && before.window !== null} onChange={setWindow} />
    </fieldset>
  );
}

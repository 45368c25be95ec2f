import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { FirstWaveField } from './FirstWaveField.tsx';
import { SafetyLimitField, type SafetyLimitFieldProps } from './SafetyLimitFields.tsx';
import { WaveFields } from './WaveFields.tsx';
import { WindowFields } from './WindowFields.tsx';
import type { GroupValues } from './values.ts';

export interface RolloutOptionsProps extends Pick<SafetyLimitFieldProps, 'group' | 'kinds'> {
  readonly values: GroupValues;
  readonly onChange: (part: Partial<GroupValues>) => void;
}

/** The options of the rollout that a save begins: what goes first, how it goes on, what stops it, and when (WIN-01, WIN-02). */
export function RolloutOptions({ group, kinds, values, onChange }: RolloutOptionsProps): ReactNode {
  const { t } = useTranslation();
  const { rollout } = values;
  const set = (part: Partial<typeof rollout>) => onChange({ rollout: { ...rollout, ...part } });
  const limit = { group, kinds, values, onChange };
  return (
    <fieldset className="rollout-options" aria-label={t('groups.form.safetyLimits')}>
      <FirstWaveField
        group={group}
        moves={values.moves}
        draft={rollout}
        onChange={set}
        count={<SafetyLimitField limit="canaries" {...limit} />}
      />
      <WaveFields draft={rollout} onChange={set} />
      <SafetyLimitField limit="failureThreshold" {...limit} />
      <WindowFields draft={rollout.window} onChange={(part) => set({ window: { ...rollout.window, ...part } })} />
    </fieldset>
  );
}

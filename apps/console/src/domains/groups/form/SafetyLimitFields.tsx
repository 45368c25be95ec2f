import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../ui/time/format.ts';

/** The ranges of the safety limits: percent, and number of routers. */
export const limits = { failureThreshold: [1, 100], canaries: [0, 10_000] } as const;
type SafetyLimit = keyof typeof limits;
type SafetyLimitValues = Readonly<Record<SafetyLimit, number | null>>;

/** True for an invalid number; null means the default. */
export function safetyLimitFault(limit: SafetyLimit, value: number | null): boolean {
  const [least, most] = limits[limit];
  return value !== null && !(Number.isInteger(value) && value >= least && value <= most);
}

export interface SafetyLimitFieldsProps {
  readonly values: SafetyLimitValues;
  readonly onChange: (part: Partial<SafetyLimitValues>) => void;
}

/** The safety limits of the next rollout: the failure threshold that pauses it, and the number of canary routers. */
export function SafetyLimitFields({ values, onChange }: SafetyLimitFieldsProps): ReactNode {
  const { t } = useTranslation();
  const field = (limit: SafetyLimit, label: string, hint: string) => {
    const [least, most] = limits[limit];
    const value = values[limit];
    return (
      <TextInput
        label={label}
        description={hint}
        inputMode="numeric"
        placeholder={t('groups.form.usual')}
        maxLength={6}
        autoComplete="off"
        value={value === null ? '' : String(value)}
        error={safetyLimitFault(limit, value) && t('groups.form.safetyLimitProblem', { least, most: formatNumber(most) })}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.value.replaceAll(/\D/gu, '');
          onChange({ [limit]: typed === '' ? null : Number(typed) });
        }}
      />
    );
  };
  return (
    <fieldset className="postpone">
      <legend className="field-label">{t('groups.form.safetyLimits')}</legend>
      <div className="safety-limits">
        {field('failureThreshold', t('groups.form.threshold'), t('groups.form.thresholdHint'))}
        {field('canaries', t('groups.form.canaries'), t('groups.form.canariesHint'))}
      </div>
    </fieldset>
  );
}

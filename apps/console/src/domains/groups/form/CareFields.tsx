import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../ui/time/format.ts';

/** What a binding may be told to take care of: percent, and number of routers. */
export const limits = { failureThreshold: [1, 100], canaries: [0, 10_000] } as const;
type Care = keyof typeof limits;
type CareValues = Readonly<Record<Care, number | null>>;

/** True when a number cannot be sent; nothing means the usual. */
export function careFault(care: Care, value: number | null): boolean {
  const [least, most] = limits[care];
  return value !== null && !(Number.isInteger(value) && value >= least && value <= most);
}

export interface CareFieldsProps {
  readonly values: CareValues;
  readonly onChange: (part: Partial<CareValues>) => void;
}

/** How careful the next rollout is: when it pauses itself, and how many routers go first. */
export function CareFields({ values, onChange }: CareFieldsProps): ReactNode {
  const { t } = useTranslation();
  const field = (care: Care, label: string, hint: string) => {
    const [least, most] = limits[care];
    const value = values[care];
    return (
      <TextInput
        label={label}
        description={hint}
        inputMode="numeric"
        placeholder={t('groups.form.usual')}
        maxLength={6}
        autoComplete="off"
        value={value === null ? '' : String(value)}
        error={careFault(care, value) && t('groups.form.careProblem', { least, most: formatNumber(most) })}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.value.replaceAll(/\D/gu, '');
          onChange({ [care]: typed === '' ? null : Number(typed) });
        }}
      />
    );
  };
  return (
    <fieldset className="postpone">
      <legend className="field-label">{t('groups.form.care')}</legend>
      <div className="care">
        {field('failureThreshold', t('groups.form.threshold'), t('groups.form.thresholdHint'))}
        {field('canaries', t('groups.form.canaries'), t('groups.form.canariesHint'))}
      </div>
    </fieldset>
  );
}

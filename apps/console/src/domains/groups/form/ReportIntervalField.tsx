import { reportInterval } from '@highline/contract';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../../ui/time/format.ts';

const { least, most } = reportInterval;

/** True for seconds within the range, and for null: as the installation sets. */
export function isReportInterval(value: number | null): boolean {
  return value === null || (value >= least && value <= most);
}

/** What is wrong with seconds outside the range. */
export function useReportIntervalFault(): string {
  const { t } = useTranslation();
  return t('groups.form.reportSecondsProblem', { least, most: formatNumber(most) });
}

export interface ReportIntervalFieldProps {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** Seconds between two reports of the routers of a group; empty = as the installation sets. */
export function ReportIntervalField({ value, onChange }: ReportIntervalFieldProps): ReactNode {
  const { t } = useTranslation();
  const fault = useReportIntervalFault();
  return (
    <TextInput
      label={t('groups.form.reportSeconds')}
      description={t('groups.form.reportSecondsHint')}
      placeholder={t('groups.form.usual')}
      inputMode="numeric"
      maxLength={5}
      autoComplete="off"
      value={value === null ? '' : String(value)}
      error={!isReportInterval(value) && fault}
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value.replaceAll(/\D/gu, '');
        onChange(typed === '' ? null : Number(typed));
      }}
    />
  );
}

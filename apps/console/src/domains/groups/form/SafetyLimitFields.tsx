import { rollouts } from '@highline/contract';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../../ui/time/format.ts';
import { rolloutsQuery } from '../rollout/rollouts.api.ts';

/** The ranges of the safety limits: percent, and number of routers. */
export const limits = { failureThreshold: [1, 100], canaries: [0, 10_000] } as const;
const defaults = { failureThreshold: rollouts.DEFAULT_FAILURE_THRESHOLD, canaries: rollouts.DEFAULT_CANARIES } as const;
type SafetyLimit = keyof typeof limits;
type SafetyLimitValues = Readonly<Record<SafetyLimit, number | null>>;

/** True for an invalid number; null means the default. */
export function safetyLimitFault(limit: SafetyLimit, value: number | null): boolean {
  const [least, most] = limits[limit];
  return value !== null && !(Number.isInteger(value) && value >= least && value <= most);
}

export interface SafetyLimitFieldProps {
  readonly limit: SafetyLimit;
  /** Undefined for a group that does not exist yet. */
  readonly group: string | undefined;
  /** What the save brings to routers; each keeps the limits of the rollout before it. */
  readonly kinds: readonly rollouts.RolloutKind[];
  readonly values: SafetyLimitValues;
  /** What an empty field means; left out = as the rollouts before. */
  readonly usual?: number;
  readonly onChange: (part: Partial<SafetyLimitValues>) => void;
}

/** A safety limit of the next rollout: the failure threshold that pauses it, or the number of routers that go first. */
export function SafetyLimitField({ limit, group, kinds, values, usual, onChange }: SafetyLimitFieldProps): ReactNode {
  const { t } = useTranslation();
  const present = useQuery({ ...rolloutsQuery(group ?? ''), enabled: group !== undefined }).data;
  const known = group === undefined ? [] : present;
  const ofKinds = known && kinds.map((kind) => (known.find((one) => one.kind === kind) ?? defaults)[limit]);
  const used = new Set(usual === undefined ? ofKinds : [usual]);
  const [only] = used;
  /** What an empty field means, where it is one number for all files. */
  const placeholder =
    used.size === 1 && only !== undefined ? t('groups.form.usualNumber', { shown: formatNumber(only) }) : t('groups.form.usual');
  const [least, most] = limits[limit];
  const value = values[limit];
  return (
    <TextInput
      label={t(limit === 'canaries' ? 'groups.form.canaries' : 'groups.form.threshold')}
      description={t(limit === 'canaries' ? 'rolloutOptions.first.countHint' : 'groups.form.thresholdHint')}
      inputMode="numeric"
      placeholder={placeholder}
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
}

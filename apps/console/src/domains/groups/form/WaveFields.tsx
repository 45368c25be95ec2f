import { rollouts } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { NativeSelect, TextInput } from '../../../ui/controls/TextInput.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { isWaveHours, type RolloutDraft, type SharePreset, sharePresets } from './rollout-draft.ts';

export interface WaveFieldsProps {
  readonly draft: RolloutDraft;
  readonly onChange: (part: Partial<RolloutDraft>) => void;
}

/** When the rollout goes on after the first routers, and in which waves the others follow (WIN-01). */
export function WaveFields({ draft, onChange }: WaveFieldsProps): ReactNode {
  const { t } = useTranslation();
  const presets = Object.keys(sharePresets) as SharePreset[];
  return (
    <>
      <NativeSelect
        label={t('rolloutOptions.goOn.label')}
        value={draft.rule}
        data={rollouts.waveRules.map((rule) => ({ value: rule, label: t(`rolloutOptions.goOn.${rule}`) }))}
        onChange={({ currentTarget }) => onChange({ rule: currentTarget.value as rollouts.WaveRule })}
      />
      {draft.rule === 'hours' && (
        <TextInput
          label={t('rolloutOptions.goOn.hoursField')}
          description={t('rolloutOptions.goOn.hoursHint')}
          inputMode="numeric"
          maxLength={3}
          autoComplete="off"
          value={draft.hours}
          error={
            !isWaveHours(draft.hours) && t('rolloutOptions.goOn.hoursRange', { most: formatNumber(rollouts.MAX_WAVE_HOURS) })
          }
          onChange={({ currentTarget }) => onChange({ hours: currentTarget.value.replaceAll(/\D/gu, '') })}
        />
      )}
      <NativeSelect
        label={t('rolloutOptions.others.label')}
        value={draft.shares}
        data={presets.map((preset) => ({ value: preset, label: t(`rolloutOptions.others.${preset}`) }))}
        onChange={({ currentTarget }) => onChange({ shares: currentTarget.value as SharePreset })}
      />
    </>
  );
}

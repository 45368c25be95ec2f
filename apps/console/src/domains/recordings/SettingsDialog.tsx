import { RECORDING_DAYS, type recordings } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { Check } from '../../ui/Check.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { saveRecordingSettings } from './recordings.api.ts';

interface Draft {
  readonly recorded: boolean;
  /** As it is typed. */
  readonly days: string;
}

/** Whether terminals are recorded, and how long recordings are kept (LIV-07). */
export function SettingsDialog({
  settings: { recorded, days },
  onClose,
}: {
  settings: recordings.RecordingSettings;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { least, most } = RECORDING_DAYS;
  const form = useEntityForm<Draft, recordings.RecordingSettings>({
    stored: { values: { recorded, days: String(days) } },
    leave: 'free',
    normalize: (draft) => ({ ...draft, days: draft.days.trim() }),
    validate: (draft) => {
      const number = Number(draft.days);
      return /^\d+$/u.test(draft.days.trim()) && number >= least && number <= most
        ? {}
        : { days: t('recordings.settings.daysBad', { least, most }) };
    },
    save: (draft) => saveRecordingSettings({ recorded: draft.recorded, days: Number(draft.days) }),
    done: t('recordings.settings.saved'),
    refresh: ['recordings'],
    onSaved: onClose,
  });
  return (
    <EntityDialog form={form} title={t('recordings.settings.title')} submit={t('recordings.settings.submit')} onClose={onClose}>
      <p className="dim">{t('recordings.settings.text')}</p>
      <Check
        label={t('recordings.settings.recorded')}
        checked={form.values.recorded}
        onChange={(checked) => form.set({ recorded: checked })}
      />
      <TextInput
        label={t('recordings.settings.days')}
        description={t('recordings.settings.daysHint', { least, most })}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        {...form.text('days')}
      />
    </EntityDialog>
  );
}

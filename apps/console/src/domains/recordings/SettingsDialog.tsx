import { RECORDING_DAYS, type recordings } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { readDetail, useEntityForm } from '../../api/useEntityForm.ts';
import { Check } from '../../ui/Check.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { saveRecordingSettings } from './recordings.api.ts';

interface Draft {
  readonly recorded: boolean;
  /** As it is typed. */
  readonly days: string;
}

const storedOf = ({ recorded, days, version }: recordings.StoredRecordingSettings) => ({
  values: { recorded, days: String(days) },
  etag: `"${version}"`,
});

/** Whether terminals are recorded, and how long recordings are kept (LIV-07). */
export function SettingsDialog({
  settings,
  onClose,
}: {
  settings: recordings.StoredRecordingSettings;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { least, most } = RECORDING_DAYS;
  const form = useEntityForm<Draft, recordings.RecordingSettings>({
    stored: storedOf(settings),
    stale: readDetail((current: recordings.StoredRecordingSettings) => ({
      ...storedOf(current),
      text: t('ui.form.stale', { name: t('recordings.settings.title') }),
    })),
    leave: 'free',
    normalize: (draft) => ({ ...draft, days: draft.days.trim() }),
    validate: (draft) => {
      const number = Number(draft.days);
      return /^\d+$/u.test(draft.days.trim()) && number >= least && number <= most
        ? {}
        : { days: t('recordings.settings.daysBad', { least, most }) };
    },
    save: (draft, { etag }) => saveRecordingSettings({ recorded: draft.recorded, days: Number(draft.days) }, etag),
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

import { reportInterval } from '@highline/contract';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { changesOf } from '../../api/useKeptDraft.ts';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { type ModelSettings, modelSettingsQuery, saveModelSettings } from './inventory.api.ts';

const { least, most } = reportInterval;
const isInterval = (text: string) => text === '' || (Number(text) >= least && Number(text) <= most);

/** The intervals by model, as text. */
type Intervals = Readonly<Record<string, string>>;

function IntervalsForm({ settings, onClose }: { settings: ModelSettings; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const stored: Intervals = Object.fromEntries(
    settings.models.map(({ model, reportSeconds }) => [model, String(reportSeconds ?? '')]),
  );
  const fault = t('inventory.models.problem', { least, most: formatNumber(most) });
  const form = useEntityForm<Intervals, ModelSettings>({
    // Follows what was read again since, as long as nothing is typed.
    stored: { values: stored, etag: JSON.stringify(settings.models) },
    stale: undefined,
    leave: 'free',
    validate: (values) =>
      Object.fromEntries(Object.entries(values).flatMap(([model, text]) => (isInterval(text) ? [] : [[model, fault]]))),
    save: (values, base) =>
      saveModelSettings(
        Object.entries(changesOf(base.values, values)).map(([model, text = '']) => ({
          model,
          reportSeconds: text === '' ? null : Number(text),
        })),
      ),
    done: t('ui.done.edited'),
    refresh: ['inventory'],
    onSaved: onClose,
  });
  return (
    <EntityDialog form={form} title={t('inventory.models.title')} submit={t('inventory.models.save')} onClose={onClose}>
      <p>{t('inventory.models.text')}</p>
      {settings.models.map(({ model }) => (
        <TextInput
          key={model}
          label={model}
          placeholder={String(settings.reportSeconds)}
          inputMode="numeric"
          maxLength={5}
          autoComplete="off"
          name={model}
          value={form.values[model] ?? ''}
          error={form.field(model).error}
          onChange={({ currentTarget }) => form.set({ [model]: currentTarget.value.replaceAll(/\D/gu, '') })}
        />
      ))}
    </EntityDialog>
  );
}

/** Seconds between two reports of the routers of each model of the inventory. */
export function ModelSettingsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = useQuery(modelSettingsQuery);
  if (query.data !== undefined && query.data.models.length > 0) return <IntervalsForm settings={query.data} onClose={onClose} />;
  return (
    <Dialog title={t('inventory.models.title')} onClose={onClose}>
      {query.data !== undefined && <p>{t('inventory.models.none')}</p>}
      {query.isPending && <Skeleton lines={3} />}
      {query.isError && <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />}
    </Dialog>
  );
}

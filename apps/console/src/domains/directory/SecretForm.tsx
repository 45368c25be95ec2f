import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { createSecret, type SecretDraft } from './directory.api.ts';

const DAYS = [30, 90, 365, 1_095];

/** Name and expiry of a new secret. */
export function SecretForm({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: string) => void }): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<SecretDraft, string>({
    stored: { values: { name: '', days: '365' } },
    leave: 'free',
    normalize: (draft) => ({ ...draft, name: draft.name.trim() }),
    required: { name: t('directory.form.name') },
    save: createSecret,
    onSaved: onCreated,
  });
  return (
    <EntityDialog form={form} title={t('directory.form.title')} submit={t('directory.form.submit')} onClose={onClose}>
      <TextInput description={t('directory.form.nameHint')} maxLength={80} autoComplete="off" {...form.text('name')} />
      <NativeSelect
        data={DAYS.map((count) => ({ value: String(count), label: t('directory.form.days', { count }) }))}
        {...form.text('days')}
        label={t('directory.form.expiry')}
      />
    </EntityDialog>
  );
}

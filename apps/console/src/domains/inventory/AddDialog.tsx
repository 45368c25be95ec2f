import { TextInput } from '../../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { EndpointInput } from './EndpointInput.tsx';
import { addRouter, type Minted, type NewRouter } from './inventory.api.ts';

const empty: NewRouter = { serial_number: '', mac: '', model: '', endpointId: '' };

/** Enter one router; the response is its secret. */
export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (minted: Minted) => void }): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<NewRouter, Minted>({
    stored: { values: empty },
    leave: 'free',
    required: { serial_number: t('inventory.form.serial'), mac: t('inventory.form.mac') },
    fieldOf: ({ field }) => field,
    save: addRouter,
    onSaved: onAdded,
  });
  return (
    <EntityDialog form={form} title={t('inventory.form.title')} submit={t('inventory.form.add')} onClose={onClose}>
      <TextInput autoComplete="off" {...form.text('serial_number')} />
      <TextInput description={t('inventory.form.macHint')} spellCheck={false} autoComplete="off" {...form.text('mac')} />
      <TextInput label={t('inventory.form.model')} autoComplete="off" {...form.text('model')} />
      <EndpointInput label={t('inventory.form.endpoint')} {...form.field('endpointId')} />
    </EntityDialog>
  );
}

import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { addProperty, type PropertyDraft, type PropertyType } from './properties.api.ts';

const TYPES: readonly PropertyType[] = ['bool', 'number', 'string', 'picture'];

const blank: PropertyDraft = { name: '', type: 'string', unit: '' };

/** Add a property, with a confirmation: it cannot be undone (OLD-02). */
export function PropertyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useEntityForm<PropertyDraft>({
    stored: { values: blank },
    leave: 'free',
    normalize: ({ name, type, unit }) => ({ name: name.trim(), type, unit: unit.trim() }),
    required: { name: t('properties.field.name') },
    fieldOf: ({ field }) => (field === 'name' ? field : undefined),
    save: async (input) => {
      const text = t('properties.question', { name: input.name, type: t(`properties.type.${input.type}`) });
      const question = { title: t('ui.dialog.warningTitle'), text, warning: t('properties.forGood') };
      return (await confirmAction({ ...question, effect: 'ordinary' })) && addProperty(client, input);
    },
    onSaved: onClose,
    done: t('ui.done.saved', { msg: t('properties.property') }),
  });
  return (
    <EntityDialog form={form} title={t('properties.add')} submit={t('ui.save')} onClose={onClose}>
      <TextInput maxLength={40} autoComplete="off" {...form.text('name')} />
      <NativeSelect
        label={t('properties.field.type')}
        data={TYPES.map((value) => ({ value, label: t(`properties.type.${value}`) }))}
        {...form.text('type')}
      />
      {form.values.type === 'number' && (
        <TextInput label={t('properties.field.unit')} maxLength={16} autoComplete="off" {...form.text('unit')} />
      )}
      <p className="dim">{t('properties.forGood')}</p>
    </EntityDialog>
  );
}

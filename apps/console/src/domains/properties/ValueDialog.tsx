import { TextInput } from '../../ui/controls/TextInput.tsx';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { numberOf } from '../../ui/number.ts';
import { type DeviceProperty, setProperty } from './properties.api.ts';
import { useConflictBase } from './useConflictBase.ts';

export interface ValueDialogProps {
  readonly device: string;
  readonly property: DeviceProperty;
  readonly onClose: () => void;
}

/** Set a number or a text; an empty field removes the value. */
export function ValueDialog({ device, property, onClose }: ValueDialogProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { key, name, type, unit, value } = property;
  const { base, explain } = useConflictBase(device, property);
  const form = useEntityForm<{ value: string }>({
    stored: { values: { value: value === null ? '' : String(value) } },
    leave: 'free',
    normalize: (typed) => ({ value: typed.value.trim() }),
    validate: ({ value: text }) =>
      type === 'number' && text !== '' && numberOf(text) === undefined ? { value: t('ui.form.format', { field: name }) } : {},
    save: async ({ value: text }) => {
      const sent = text === '' ? null : type === 'number' ? (numberOf(text) ?? null) : text;
      try {
        return await setProperty(client, { device, property: key, version: base.version }, sent);
      } catch (error) {
        if (explain(error)) return false;
        throw error;
      }
    },
    onSaved: onClose,
    done: t('ui.done.edited'),
  });
  const input = type === 'number' ? ({ inputMode: 'decimal', maxLength: 30 } as const) : { maxLength: 500 };
  return (
    <EntityDialog form={form} title={t('properties.edit', { name })} submit={t('ui.save')} onClose={onClose}>
      <TextInput
        label={unit === '' ? name : t('ui.withUnit', { name, unit })}
        autoComplete="off"
        {...input}
        {...form.text('value')}
      />
    </EntityDialog>
  );
}

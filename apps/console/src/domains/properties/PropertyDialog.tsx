import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { useFocusFault } from '../../ui/form/useFocusFault.ts';
import { toast } from '../../ui/toasts.ts';
import { addProperty, type PropertyDraft, type PropertyType } from './properties.api.ts';

const TYPES: readonly PropertyType[] = ['bool', 'number', 'string', 'picture'];

const blank: PropertyDraft = { name: '', type: 'string', unit: '' };

/** Add a property, with a confirmation: it cannot be undone (OLD-02). */
export function PropertyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const client = useQueryClient();
  const form = useId();
  const [draft, setDraft] = useState(blank);
  const [problem, setProblem] = useState<string>();
  const change = (part: Partial<PropertyDraft>) => {
    setDraft({ ...draft, ...part });
    setProblem(undefined);
  };
  const save = useAction<PropertyDraft, void>({
    run: (input) => addProperty(client, input),
    onDone: () => {
      toast(t('ui.done.saved', { msg: t('properties.property') }));
      onClose();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.field !== 'name') return false;
      setProblem(errorText(error));
      return true;
    },
  });
  const fields = useFocusFault(problem);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const trimmed = { ...draft, name: draft.name.trim(), unit: draft.unit.trim() };
    if (trimmed.name === '') return setProblem(t('ui.form.required', { field: t('properties.field.name') }));
    const question = t('properties.question', { name: trimmed.name, type: t(`properties.type.${trimmed.type}`) });
    if (await confirmAction({ title: t('ui.dialog.warningTitle'), text: question, warning: t('properties.forGood') }))
      save.run(trimmed);
  };
  return (
    <Dialog
      title={t('properties.add')}
      onClose={onClose}
      sticky
      actions={
        <>
          <Button disabled={save.busy} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <SaveButton dirty={draft !== blank} saving={save.busy} form={form} />
        </>
      }
    >
      <form ref={fields} id={form} className="form" noValidate onSubmit={(event) => void submit(event)}>
        <TextInput
          name="name"
          label={t('properties.field.name')}
          withAsterisk
          aria-required
          maxLength={40}
          autoComplete="off"
          value={draft.name}
          error={problem}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <NativeSelect
          name="type"
          label={t('properties.field.type')}
          value={draft.type}
          data={TYPES.map((value) => ({ value, label: t(`properties.type.${value}`) }))}
          onChange={(event) => change({ type: TYPES.find((value) => value === event.currentTarget.value) ?? 'string' })}
        />
        {draft.type === 'number' && (
          <TextInput
            name="unit"
            label={t('properties.field.unit')}
            maxLength={16}
            autoComplete="off"
            value={draft.unit}
            onChange={(event) => change({ unit: event.currentTarget.value })}
          />
        )}
        <p className="dim">{t('properties.forGood')}</p>
      </form>
    </Dialog>
  );
}

import { TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { EndpointInput } from './EndpointInput.tsx';
import { addRouter, type Minted, type NewRouter } from './inventory.api.ts';

type Errors = Partial<Record<keyof NewRouter, string>>;

const empty: NewRouter = { serial_number: '', mac: '', model: '', endpointId: '' };

/** Enter one router; the answer is its secret. */
export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (minted: Minted) => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const form = useRef<HTMLFormElement>(null);
  const [router, setRouter] = useState(empty);
  const [errors, setErrors] = useState<Errors>({});
  const focusOn = (field: string) => form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  const add = useAction<NewRouter, Minted>({
    run: addRouter,
    onDone: onAdded,
    onError: (error) => {
      if (!(error instanceof ApiError) || error.field === undefined || !(error.field in empty)) return false;
      setErrors({ [error.field]: errorText(error) });
      focusOn(error.field);
      return true;
    },
  });
  const change = (field: keyof NewRouter, value: string) => {
    setRouter({ ...router, [field]: value });
    setErrors({ ...errors, [field]: '' });
  };
  const submit = () => {
    const labels = { serial_number: t('inventory.form.serial'), mac: t('inventory.form.mac') };
    const missing = (['serial_number', 'mac'] as const).filter((field) => router[field].trim() === '');
    setErrors(Object.fromEntries(missing.map((field) => [field, t('ui.form.required', { field: labels[field] })])));
    if (missing[0] === undefined) add.run(router);
    else focusOn(missing[0]);
  };
  const dirty = JSON.stringify(router) !== JSON.stringify(empty);
  return (
    <FormDialog
      title={t('inventory.form.title')}
      submit={t('inventory.form.add')}
      busy={add.busy}
      disabledReason={dirty ? undefined : t('ui.nothingChanged')}
      onSubmit={submit}
      onClose={onClose}
      form={form}
    >
      <TextInput
        name="serial_number"
        label={t('inventory.form.serial')}
        withAsterisk
        aria-required
        autoComplete="off"
        value={router.serial_number}
        error={errors.serial_number}
        onChange={(event) => change('serial_number', event.currentTarget.value)}
      />
      <TextInput
        name="mac"
        label={t('inventory.form.mac')}
        description={t('inventory.form.macHint')}
        withAsterisk
        aria-required
        autoComplete="off"
        spellCheck={false}
        value={router.mac}
        error={errors.mac}
        onChange={(event) => change('mac', event.currentTarget.value)}
      />
      <TextInput
        name="model"
        label={t('inventory.form.model')}
        autoComplete="off"
        value={router.model}
        error={errors.model}
        onChange={(event) => change('model', event.currentTarget.value)}
      />
      <EndpointInput
        label={t('inventory.form.endpoint')}
        value={router.endpointId}
        error={errors.endpointId}
        onChange={(endpointId) => change('endpointId', endpointId)}
      />
    </FormDialog>
  );
}

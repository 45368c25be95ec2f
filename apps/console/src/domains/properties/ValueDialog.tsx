import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/useAction.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { toast } from '../../ui/toasts.ts';
import { numberOf } from './number.ts';
import { type DeviceProperty, setProperty } from './properties.api.ts';
import { useConflictBase } from './useConflictBase.ts';

/** Set a number or a text; an empty field removes the value. */
export function ValueDialog({
  device,
  property,
  onClose,
}: {
  device: string;
  property: DeviceProperty;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useId();
  const { key, name, type, unit } = property;
  const { base, explain } = useConflictBase(device, property);
  const before = base.value === null ? '' : String(base.value);
  const [typed, setTyped] = useState(before);
  const [problem, setProblem] = useState<string>();
  const save = useAction<DeviceProperty['value'], void>({
    run: (input) => setProperty(client, { device, property: key, version: base.version }, input),
    onDone: () => {
      toast(t('ui.done.edited'));
      onClose();
    },
    onError: explain,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = typed.trim();
    const number = type === 'number' && text !== '' ? numberOf(text) : null;
    if (number === undefined) setProblem(t('ui.form.format', { field: name }));
    else save.run(number ?? (text === '' ? null : text));
  };
  const field = {
    name: 'value',
    label: unit === '' ? name : `${name} (${unit})`,
    value: typed,
    error: problem,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      setTyped(event.currentTarget.value);
      setProblem(undefined);
    },
  };
  return (
    <Dialog
      title={t('properties.edit', { name })}
      onClose={onClose}
      sticky
      actions={
        <>
          <Button disabled={save.busy} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <SaveButton dirty={typed.trim() !== before} saving={save.busy} form={form} />
        </>
      }
    >
      <form id={form} className="form" noValidate onSubmit={submit}>
        {type === 'number' ? (
          <TextInput {...field} inputMode="decimal" maxLength={30} autoComplete="off" />
        ) : (
          <TextInput {...field} maxLength={500} autoComplete="off" />
        )}
      </form>
    </Dialog>
  );
}

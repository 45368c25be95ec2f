import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/errors.ts';
import { useAction } from '../../../api/useAction.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { DateField } from '../../../ui/form/DateField.tsx';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { GroupSelect, useChosenGroup } from '../GroupSelect.tsx';
import { BatchDialog } from './BatchDialog.tsx';
import { addBatch, type Batch, type BatchRow, modelsInStock } from './device-add.api.ts';
import { type BatchField, batchFields, batchProblems, emptyBatch, endsOf } from './device-batch.ts';
import { useFieldFaults } from './useFieldFaults.ts';

export interface BatchFormProps {
  /** The organization that gets the devices; the main account chooses it first. */
  readonly org: string | undefined;
  readonly onMissingOrg: () => void;
  readonly onAdded: (ids: readonly string[]) => void;
}

/** Create many like devices from the stock, named name + number (OLD-04): checked first, created after a look at them. */
export function BatchForm({ org, onMissingOrg, onAdded }: BatchFormProps): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<Batch>(emptyBatch);
  const [preview, setPreview] = useState<readonly BatchRow[]>();
  const [added, setAdded] = useState<readonly string[]>();
  const models = useQuery(modelsInStock).data;
  // A model chosen for another organization, or no longer in stock, is dropped.
  const group = useChosenGroup(typed.group, org, org !== undefined);
  const model = models?.includes(typed.model) === true ? typed.model : (models?.[0] ?? '');
  const batch: Batch = { ...typed, group: group.group, model };
  const dirty = added === undefined && JSON.stringify(typed) !== JSON.stringify(emptyBatch);
  useUnsavedChanges(dirty);
  // Open the list only after the form counts as saved, or leaving would warn about unsaved changes.
  useEffect(() => {
    if (added !== undefined) onAdded(added);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when they were added
  }, [added]);

  const labels: Readonly<Record<BatchField, string>> = {
    model: t('deviceForms.batch.model'),
    name: t('deviceForms.batch.name'),
    first: t('deviceForms.batch.first'),
    batch: t('deviceForms.batch.count'),
    serial_number: t('deviceForms.batch.serial'),
    group: t('deviceForms.field.group'),
    started: t('deviceForms.field.started'),
    expired: t('deviceForms.field.expired'),
  };
  const faults = useFieldFaults(labels);
  const handleRejection = (error: unknown): boolean => {
    setPreview(undefined);
    const field = error instanceof ApiError ? batchFields.find((name) => name === error.field) : undefined;
    return faults.reject(error, field);
  };
  const check = useAction<Batch, readonly BatchRow[]>({
    run: (input) => addBatch(org!, input, true),
    onDone: setPreview,
    onError: handleRejection,
  });
  const create = useAction<Batch, readonly BatchRow[]>({
    run: (input) => addBatch(org!, input, false),
    onDone: (rows) => setAdded(rows.map(({ device }) => device)),
    onError: handleRejection,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = batchProblems(batch);
    faults.show(found);
    if (org === undefined) return onMissingOrg();
    const first = batchFields.find((field) => found[field] !== undefined);
    if (first !== undefined) faults.focusOn(first);
    else check.run(batch);
  };

  const change = (field: BatchField) => (value: string) => {
    setTyped((before) => ({ ...before, [field]: value }));
    faults.discard(field);
  };
  const text = (field: BatchField, more: { required?: boolean; description?: string; inputMode?: 'numeric' } = {}) => {
    const { required = true, ...rest } = more;
    return (
      <TextInput
        name={field}
        label={labels[field]}
        {...(required ? { withAsterisk: true, 'aria-required': true } : {})}
        {...rest}
        value={typed[field]}
        error={faults.textOf(field)}
        autoComplete="off"
        onChange={(event) => change(field)(event.currentTarget.value)}
      />
    );
  };
  const day = (field: 'started' | 'expired') => (
    <DateField
      name={field}
      label={labels[field]}
      value={typed[field]}
      required
      error={faults.textOf(field)}
      onChange={change(field)}
    />
  );

  if (models?.length === 0) return <p className="dim">{t('deviceForms.batch.noStock')}</p>;
  const ends = endsOf(batch);
  return (
    <form ref={faults.form} className="form" noValidate onSubmit={submit}>
      <p className="dim">{t('deviceForms.batch.hint')}</p>
      <NativeSelect
        name="model"
        label={labels.model}
        withAsterisk
        error={faults.textOf('model')}
        value={model}
        data={(models ?? []).map((value) => ({ value, label: value === '' ? t('deviceForms.batch.noModel') : value }))}
        onChange={(event) => change('model')(event.currentTarget.value)}
      />
      {text('name', { description: t('deviceForms.batch.nameHint') })}
      <div className="form__pair">
        {text('first', { inputMode: 'numeric' })}
        {text('batch', { inputMode: 'numeric' })}
      </div>
      <p className="dim" aria-live="polite">
        {ends === undefined ? t('deviceForms.batch.limit') : t('deviceForms.batch.names', { first: ends[0], last: ends[1] })}
      </p>
      {text('serial_number', { required: false, description: t('deviceForms.batch.serialHint') })}
      <GroupSelect
        required
        label={labels.group}
        value={group}
        org={org}
        fixed={org === undefined}
        error={faults.textOf('group')}
        onChange={change('group')}
      />
      <div className="form__pair">
        {day('started')}
        {day('expired')}
      </div>
      <p className="dim">{t('deviceForms.utc')}</p>
      <div className="form__actions">
        <ActionButton
          type="submit"
          variant="filled"
          loading={check.busy}
          disabledReason={dirty ? undefined : t('ui.nothingChanged')}
        >
          {t('deviceForms.batch.check')}
        </ActionButton>
      </div>
      {preview !== undefined && added === undefined && (
        <BatchDialog rows={preview} busy={create.busy} onCreate={() => create.run(batch)} onClose={() => setPreview(undefined)} />
      )}
    </form>
  );
}

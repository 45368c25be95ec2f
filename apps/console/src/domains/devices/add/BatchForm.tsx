import { NativeSelect, TextInput } from '../../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../../api/EntityForm.tsx';
import { changedEffect } from '../../../api/confirmed.ts';
import { useEntityForm } from '../../../api/useEntityForm.ts';
import { DateField } from '../../../ui/form/DateField.tsx';
import { TwelveMonths } from '../../../ui/form/TwelveMonths.tsx';
import { type ChosenGroup, GroupSelect, useChosenGroup } from '../../../entities/groups/GroupSelect.tsx';
import { BatchDialog } from './BatchDialog.tsx';
import { addBatch, type Batch, type BatchResult, checkBatch, modelsInStock } from './device-add.api.ts';
import { type BatchField, batchProblems, emptyBatch, endsOf } from './device-batch.ts';
import { useProblemTexts } from './useProblemTexts.ts';

/** What was checked: exactly this is created, whatever the form would send by then. */
interface Preview extends BatchResult {
  readonly org: string;
  readonly batch: Batch;
  /** The stock is another one than in the check before. */
  readonly isChanged: boolean;
}

export interface BatchFormProps {
  /** The organization that gets the devices; the main account chooses it first. */
  readonly org: string | undefined;
  readonly onMissingOrg: () => void;
  readonly onAdded: (ids: readonly string[]) => void;
}

/** Create many like devices from the stock, named name + number (OLD-04): checked first, created after a look at them. */
export function BatchForm({ org, onMissingOrg, onAdded }: BatchFormProps): ReactNode {
  const { t } = useTranslation();
  const [preview, setPreview] = useState<Preview>();
  const models = useQuery(modelsInStock).data;
  const labels: Readonly<Record<BatchField | 'org', string>> = {
    org: t('deviceForms.field.org'),
    model: t('deviceForms.batch.model'),
    name: t('deviceForms.batch.name'),
    first: t('deviceForms.batch.first'),
    batch: t('deviceForms.batch.count'),
    serial_number: t('deviceForms.batch.serial'),
    group: t('deviceForms.field.group'),
    started: t('deviceForms.field.started'),
    expired: t('deviceForms.field.expired'),
  };
  const problemTexts = useProblemTexts(labels);
  /** The group and the model that are sent: one of another organization, or no longer in stock, is dropped. */
  const fitting = (typed: Batch): Batch => ({ ...typed, group: group.group, model: modelOf(typed) });
  const modelOf = ({ model }: Batch) => (models?.includes(model) === true ? model : (models?.[0] ?? ''));
  const form = useEntityForm<Batch, readonly string[]>({
    stored: { values: emptyBatch },
    validate: (typed) => {
      if (org === undefined) onMissingOrg();
      return problemTexts({
        ...batchProblems(preview?.batch ?? fitting(typed)),
        ...(org === undefined ? { org: 'required' as const } : {}),
      });
    },
    fieldOf: ({ field }) => field,
    save: async (typed) => {
      const sent = preview ?? { org: org!, batch: fitting(typed) };
      try {
        if (preview !== undefined) {
          const { devices } = await addBatch(sent.org, sent.batch, preview.confirmation);
          return devices.map(({ device }) => device);
        }
        setPreview({ ...sent, ...(await checkBatch(sent.org, sent.batch)), isChanged: false });
      } catch (error) {
        const changed = changedEffect<BatchResult>(error);
        setPreview(changed && { ...sent, ...changed, isChanged: true });
        if (changed === undefined) throw error;
      }
      return false;
    },
    onSaved: (ids) => onAdded(ids),
    leave: 'ask',
    draft: 'device-batch',
  });
  const group: ChosenGroup = useChosenGroup(form.values.group, org, org !== undefined);
  const text = (field: BatchField) => ({ label: labels[field], autoComplete: 'off', ...form.text(field) });
  const required = { withAsterisk: true, 'aria-required': true };

  if (models?.length === 0 && preview === undefined) return <p className="dim">{t('deviceForms.batch.noStock')}</p>;
  const ends = endsOf(fitting(form.values));
  return (
    <>
      <PageForm form={form} submit={t('deviceForms.batch.check')}>
        <p className="dim">{t('deviceForms.batch.hint')}</p>
        <NativeSelect
          {...text('model')}
          withAsterisk
          value={modelOf(form.values)}
          data={(models ?? []).map((value) => ({ value, label: value === '' ? t('deviceForms.batch.noModel') : value }))}
        />
        <TextInput {...text('name')} {...required} description={t('deviceForms.batch.nameHint')} />
        <div className="form__pair">
          <TextInput {...text('first')} {...required} inputMode="numeric" />
          <TextInput {...text('batch')} {...required} inputMode="numeric" />
        </div>
        <p className="dim" aria-live="polite">
          {ends === undefined ? t('deviceForms.batch.limit') : t('deviceForms.batch.names', { first: ends[0], last: ends[1] })}
        </p>
        <TextInput {...text('serial_number')} description={t('deviceForms.batch.serialHint')} />
        <GroupSelect {...form.field('group')} required label={labels.group} value={group} org={org} fixed={org === undefined} />
        <div className="form__pair">
          <DateField label={labels.started} required {...form.field('started')} />
          <DateField label={labels.expired} required {...form.field('expired')} />
        </div>
        <TwelveMonths started={form.values.started} onPick={form.set} />
        <p className="dim">{t('deviceForms.utc')}</p>
      </PageForm>
      {preview !== undefined && (
        <BatchDialog
          rows={preview.devices}
          isChanged={preview.isChanged}
          busy={form.saving}
          onCreate={form.submit}
          onClose={() => setPreview(undefined)}
        />
      )}
    </>
  );
}

import { separators, type Separator, summaries } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { readDetail, useEntityForm } from '../../api/useEntityForm.ts';
import { NativeSelect, Textarea, TextInput } from '../../ui/controls/TextInput.tsx';
import { useLanguage } from '../../ui/language.ts';
import { useZone } from '../../ui/time/zone.ts';
import { useSeparator } from './separator.ts';
import { createSummary, previewQuery, saveSummary, type SavedSummary } from './summaries.api.ts';
import { ColumnsField, SummaryChoices, type SummaryChoice } from './SummaryChoices.tsx';
import { partsOf } from '../../ui/form/separated.ts';

/** What a person types: numbers and addresses are text. */
interface Draft {
  readonly name: string;
  readonly choice: SummaryChoice;
  readonly separator: Separator;
  readonly format: summaries.SummaryFormat;
  readonly zone: string;
  readonly language: 'en-US' | 'zh-TW';
  readonly every: summaries.SummaryInterval;
  readonly onDay: string;
  readonly hour: string;
  readonly recipients: string;
}

export interface SummaryFormProps {
  /** Left out: a new one of what is shown. */
  readonly summary?: SavedSummary;
  readonly choice: SummaryChoice;
  readonly onClose: () => void;
}

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }));
const days = Array.from({ length: 31 }, (_, index) => String(index + 1));
const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const;
const isWeekday = (day: string) => weekdays.some((each) => each === day);

/** A saved summary: what, as which file, when, and to whom (RPM-03). */
export function SummaryForm({ summary, choice: shown, onClose }: SummaryFormProps): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const zone = useZone();
  const empty: Draft = {
    name: t(`summaries.kind.${shown.kind}`),
    choice: shown,
    separator: useSeparator(),
    format: 'pdf',
    zone,
    language,
    every: 'month',
    onDay: '1',
    hour: '6',
    recipients: '',
  };
  const form = useEntityForm<Draft, SavedSummary>({
    stored: summary === undefined ? { values: empty } : storedOf(summary),
    leave: 'free',
    savesUnchanged: summary?.lastRun?.reason === 'author',
    normalize: (draft) => ({ ...draft, name: draft.name.trim(), recipients: draft.recipients.trim() }),
    required: { name: t('summaries.form.name') },
    fieldOf: ({ key }) => (key === 'summary.no_recipient' ? 'recipients' : undefined),
    save({ choice, ...draft }, { etag = '' }) {
      const body = {
        ...draft,
        kind: choice.kind,
        group: choice.group ?? null,
        carrier: choice.carrier ?? null,
        tag: choice.tag ?? null,
        sumBy: choice.sumBy ?? null,
        columns: choice.columns === undefined ? null : [...choice.columns],
        onDay: Number(draft.onDay),
        hour: Number(draft.hour),
        recipients: partsOf(draft.recipients),
      };
      return summary === undefined ? createSummary(body) : saveSummary(summary, body, etag);
    },
    done: t('summaries.form.saved'),
    refresh: ['summaries'],
    onSaved: onClose,
    stale: readDetail((current: SavedSummary) => ({ ...storedOf(current), text: t('ui.form.stale', { name: current.name }) })),
  });
  const { every, choice } = form.values;
  // For the columns that it can have.
  const { kind, sumBy } = choice;
  const preview = useQuery(previewQuery({ kind, ...(sumBy !== undefined && { sumBy }), zone, language }));
  return (
    <EntityDialog
      form={form}
      title={summary === undefined ? t('summaries.form.create') : t('summaries.form.edit', { name: summary.name })}
      submit={t('summaries.form.submit')}
      onClose={onClose}
      wide
    >
      <TextInput maxLength={80} autoComplete="off" {...form.text('name')} />
      <SummaryChoices choice={choice} org={summary?.org ?? undefined} onChange={(next) => form.set({ choice: next })} />
      <ColumnsField
        all={preview.data?.allColumns ?? []}
        value={choice.columns}
        onChange={(columns) => form.set({ choice: { ...choice, columns } })}
      />
      <NativeSelect
        label={t('summaries.form.format')}
        description={form.values.format === 'csv' && t('summaries.form.csvHint')}
        data={summaries.summaryFormats.map((value) => ({ value, label: t(`summaries.file.${value}`) }))}
        {...form.text('format')}
      />
      {form.values.format === 'csv' && (
        <NativeSelect
          label={t('summaries.separatorLabel')}
          data={separators.map((value) => ({ value, label: t(`summaries.separator.${value}`) }))}
          {...form.text('separator')}
        />
      )}
      <NativeSelect
        label={t('summaries.form.language')}
        data={[
          { value: 'en-US', label: 'English' },
          { value: 'zh-TW', label: '繁體中文' },
        ]}
        {...form.text('language')}
      />
      <NativeSelect
        label={t('summaries.form.every')}
        data={summaries.summaryIntervals.map((value) => ({ value, label: t(`summaries.form.intervals.${value}`) }))}
        {...form.text('every')}
        onChange={({ currentTarget: { value } }) => {
          const next = value as summaries.SummaryInterval;
          // A day of the month is none of the week.
          form.set({ every: next, ...(next === 'week' && !isWeekday(form.values.onDay) && { onDay: '1' }) });
        }}
      />
      {every === 'week' && (
        <NativeSelect
          label={t('summaries.form.onWeekday')}
          data={weekdays.map((value) => ({ value, label: t(`summaries.form.weekdays.${value}`) }))}
          {...form.text('onDay')}
        />
      )}
      {every === 'month' && (
        <NativeSelect
          label={t('summaries.form.onDay')}
          description={t('summaries.form.onDayHint')}
          data={days.map((value) => ({ value, label: value }))}
          {...form.text('onDay')}
        />
      )}
      {every !== 'never' && <NativeSelect label={t('summaries.form.hour')} data={hours} {...form.text('hour')} />}
      <NativeSelect
        label={t('summaries.form.zone')}
        data={[...new Set(['UTC', form.values.zone, ...Intl.supportedValuesOf('timeZone')])]}
        {...form.text('zone')}
      />
      <Textarea
        label={t('summaries.form.recipients')}
        description={t('summaries.form.recipientsHint')}
        rows={3}
        {...form.text('recipients')}
      />
    </EntityDialog>
  );
}

const draftOf = (summary: SavedSummary): Draft => {
  const { name, format, separator, zone, language, every, onDay, hour, recipients, kind } = summary;
  const { group, carrier, tag, sumBy, columns } = summary;
  return {
    name,
    choice: {
      kind,
      group: group ?? undefined,
      carrier: carrier ?? undefined,
      tag: tag ?? undefined,
      sumBy: sumBy ?? undefined,
      columns: columns ?? undefined,
    },
    format,
    separator,
    zone,
    language,
    every,
    onDay: String(onDay),
    hour: String(hour),
    recipients: recipients.join(', '),
  };
};

const storedOf = (summary: SavedSummary) => ({ values: draftOf(summary), etag: summary.version });

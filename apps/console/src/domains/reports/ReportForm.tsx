import { TextInput } from '../../ui/controls/TextInput.tsx';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { isSame } from '../../api/useKeptDraft.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import '../../ui/form/form.css';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { DaysFields } from './DaysFields.tsx';
import { DeviceField, GroupField, PropertyField } from './pickers.tsx';
import { useProperties } from './useProperties.ts';
import { comparedValue } from './property.ts';
import { defaultName, wholeDays } from './range.ts';
import { draftOf, type ReportDraft } from './draft.ts';
import type { ReportSearch } from './reports.api.ts';
import { SavedReports, SaveReport } from './SavedReports.tsx';

export interface ReportFormProps {
  readonly search: ReportSearch;
  readonly onSearch: (draft: ReportDraft) => void;
}

/** The filters of a report (RPT-01): nothing is loaded before Search; then they are part of the address. */
export function ReportForm({ search, onSearch }: ReportFormProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = useNow();
  const found = draftOf(search);
  const [{ of, draft }, setDraft] = useState({ of: found, draft: found });
  const [tried, setTried] = useState(false);
  // Back, forward and removed chips change the address; the form follows. Another page is no other question.
  if (!isSame(of, found)) setDraft({ of: found, draft: found });
  const set = (part: Partial<ReportDraft>) => setDraft((before) => ({ of: found, draft: { ...before.draft, ...part } }));
  const fault = wholeDays(draft, zone, now) === undefined ? t('reports.fault.days') : undefined;
  // An address, or what a program saved, may have days that are none.
  const isUnreadable = wholeDays(search, zone, now) === undefined;
  const property = useProperties().find(({ property_id }) => property_id === draft.property);
  const unit = property?.unit ?? '';
  const sent = { ...draft, value: comparedValue(property?.property_type, draft.value) };
  const name = draft.name ?? defaultName(draft, zone, now);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fault === undefined) onSearch(sent);
  };
  return (
    <form className="card panel report-form no-print" noValidate aria-label={t('reports.form')} onSubmit={submit}>
      <DaysFields
        days={draft}
        error={tried || isUnreadable ? fault : undefined}
        onChange={({ day, from, until }) => set({ day, from, until })}
      />
      <div className="report-form__fields">
        <GroupField value={draft.group} none={t('reports.all.group')} onChange={(group) => set({ group })} />
        <DeviceField
          value={draft.device}
          group={draft.group}
          none={t('reports.all.device')}
          onChange={(device) => set({ device })}
        />
        <PropertyField value={draft.property} none={t('reports.all.property')} onChange={(property) => set({ property })} />
        <TextInput
          label={unit === '' ? t('reports.field.value') : t('reports.withUnit', { name: t('reports.field.value'), unit })}
          placeholder={t('reports.valueHint')}
          value={draft.value}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set({ value: event.currentTarget.value })}
        />
        <TextInput
          label={t('reports.field.id')}
          placeholder={t('reports.idHint')}
          value={draft.id}
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set({ id: event.currentTarget.value.trim() })}
        />
      </div>
      <div className="report-form__end">
        <TextInput
          className="report-form__name"
          label={t('reports.field.name')}
          value={name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <SaveReport draft={sent} name={name} fault={fault} />
        <SavedReports
          onPick={(picked) => {
            set(draftOf(picked));
            onSearch(draftOf(picked));
          }}
        />
        <span className="spacer" />
        <ActionButton type="submit" variant="filled" icon={<IconSearch size={16} />}>
          {t('reports.search')}
        </ActionButton>
      </div>
    </form>
  );
}

import {
  summaryFilters,
  limitedSummaryKinds,
  summaryKinds,
  sumsOfKind,
  type SummaryFilter,
  type SummaryKind,
  type SummarySum,
} from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { groupChoices, groupQuery } from '../../entities/groups/group.api.ts';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { ChoicesField } from '../../ui/form/ChoicesField.tsx';
import { PickField } from '../../ui/form/PickField.tsx';
import { OptionList } from '../../ui/OptionList.tsx';
import { composes } from '../../ui/composition.ts';

/** What a summary consists of, and what it is limited to; left out = all. */
export interface SummaryChoice {
  readonly kind: SummaryKind;
  readonly group?: string | undefined;
  readonly carrier?: string | undefined;
  readonly tag?: string | undefined;
  readonly sumBy?: SummarySum | undefined;
  /** Ids, in their order. */
  readonly columns?: readonly string[] | undefined;
}

/** Another kind: what it does not have is dropped. */
export function ofKind({ group, carrier, tag }: SummaryChoice, kind: SummaryKind): Required<SummaryChoice> {
  const kept = (filter: SummaryFilter, value: string | undefined) => (summaryFilters[kind].includes(filter) ? value : undefined);
  return {
    kind,
    group: kept('group', group),
    carrier: kept('carrier', carrier),
    tag: kept('tag', tag),
    sumBy: undefined,
    columns: undefined,
  };
}

interface GroupFieldProps {
  readonly value: string | undefined;
  readonly org: string | undefined;
  readonly onChange: (group: string | undefined) => void;
}

function GroupField({ value, org, onChange }: GroupFieldProps): ReactNode {
  const { t } = useTranslation();
  const chosen = useQuery({ ...groupQuery(value ?? '', org), enabled: value !== undefined });
  const name = value === undefined ? t('summaries.allGroups') : (chosen.data?.group.groupName ?? value);
  return (
    <PickField label={t('summaries.group')} shown={name} empty={value === undefined}>
      {(close) => (
        <GroupOptions
          value={value}
          org={org}
          onChange={(group) => {
            close();
            onChange(group);
          }}
        />
      )}
    </PickField>
  );
}

function GroupOptions({ value, org, onChange }: GroupFieldProps): ReactNode {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const { data } = useQuery(groupChoices(useDeferredValue(text.trim()), org));
  const found = (data?.options ?? []).map(({ group, groupName }) => ({ value: group, label: groupName }));
  return (
    <OptionList
      label={t('summaries.group')}
      options={text === '' ? [{ value: '', label: t('summaries.allGroups') }, ...found] : found}
      selected={value ?? ''}
      searchable
      onSearch={setText}
      onPick={(group) => onChange(group === '' ? undefined : group)}
    />
  );
}

/** A text that counts once it was left, or Enter was pressed. */
function TypedFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <TextInput
      key={value}
      label={label}
      placeholder={t('summaries.any')}
      maxLength={100}
      autoComplete="off"
      defaultValue={value ?? ''}
      onBlur={({ currentTarget }) => {
        const text = currentTarget.value.trim();
        if (text !== (value ?? '')) onChange(text === '' ? undefined : text);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || composes(event.nativeEvent)) return;
        // Not yet the end of a form: first it is read with this text.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}

export interface SummaryChoicesProps {
  readonly choice: SummaryChoice;
  /** The organization whose groups are offered; undefined = the user's own. */
  readonly org?: string | undefined;
  readonly onChange: (choice: SummaryChoice) => void;
}

/** Fields for what a report consists of and is limited to (RPM-01). */
export function SummaryChoices({ choice, org, onChange }: SummaryChoicesProps): ReactNode {
  const { t } = useTranslation();
  const { role, limitedTo } = useSession();
  const { kind, group, carrier, tag, sumBy } = choice;
  const filters = summaryFilters[kind];
  const sums = sumsOfKind[kind];
  return (
    <>
      <NativeSelect
        label={t('summaries.kindLabel')}
        data={(limitedTo === null ? summaryKinds : limitedSummaryKinds).map((value) => ({
          value,
          label: t(`summaries.kind.${value}`),
        }))}
        value={kind}
        onChange={(event) => onChange(ofKind(choice, event.currentTarget.value as SummaryKind))}
      />
      {sums !== undefined && (
        <NativeSelect
          label={t('summaries.sumByLabel')}
          data={sums.map((value) => ({ value, label: t(`summaries.sumBy.${value}`) }))}
          value={sumBy ?? sums[0]!}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value as SummarySum;
            onChange({ ...choice, columns: undefined, sumBy: next === sums[0] ? undefined : next });
          }}
        />
      )}
      {filters.includes('group') && (role !== 'main' || org !== undefined) && (
        <GroupField value={group} org={org} onChange={(next) => onChange({ ...choice, group: next })} />
      )}
      {filters.includes('carrier') && (
        <TypedFilter label={t('summaries.carrier')} value={carrier} onChange={(next) => onChange({ ...choice, carrier: next })} />
      )}
      {filters.includes('tag') && (
        <TypedFilter label={t('summaries.tag')} value={tag} onChange={(next) => onChange({ ...choice, tag: next })} />
      )}
    </>
  );
}

export interface ColumnsFieldProps {
  readonly all: readonly { readonly id: string; readonly title: string }[];
  readonly value: readonly string[] | undefined;
  readonly onChange: (columns: readonly string[] | undefined) => void;
}

/** The columns of a report in the order in which they were chosen; none chosen = all. */
export function ColumnsField({ all, value, onChange }: ColumnsFieldProps): ReactNode {
  const { t } = useTranslation();
  return (
    <ChoicesField
      label={t('summaries.columns')}
      description={t('summaries.columnsHint')}
      data={all.map(({ id, title }) => ({ value: id, label: title }))}
      value={value ?? []}
      onChange={(chosen) => onChange(chosen.length === 0 ? undefined : chosen)}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import type { Filter } from '../../ui/filter/filter.ts';
import { groupChoices, groupQuery } from './group.api.ts';

/** What a list shows of one group, chosen elsewhere; a deleted group is labelled as deleted. @param org chosen by the main account */
export function useGroupChip(value: string | undefined, org?: string): Filter {
  const { t } = useTranslation();
  const chosen = useQuery({ ...groupQuery(value ?? '', org), enabled: value !== undefined }).data;
  return {
    name: 'group',
    label: t('devices.filter.group'),
    value,
    options: [],
    shown: chosen === null ? t('devices.filter.goneGroup') : chosen?.group.groupName,
  };
}

/** The group filter, whose groups are searched on the server; a deleted group stays selected and is labelled as deleted. @param org chosen by the main account */
export function useGroupFilter(value: string | undefined, org?: string): Filter {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const { data } = useQuery(groupChoices(useDeferredValue(text.trim()), org));
  const chip = useGroupChip(value, org);
  const found = (data?.options ?? []).map(({ group, groupName }) => ({ value: group, label: groupName }));
  return {
    ...chip,
    // With a text, all groups are no response.
    options: text.trim() === '' ? [{ value: '', label: t('devices.filter.allGroups') }, ...found] : found,
    onFind: setText,
    note: data !== undefined && data.total > data.options.length ? t('devices.filter.moreGroups') : undefined,
  };
}

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import type { Filter } from '../../ui/filter/filter.ts';
import { groupChoices, groupQuery } from './group.api.ts';

/** What a list shows of one group, chosen elsewhere; a deleted group is labelled as deleted, and no key is shown. @param org chosen by the main account */
export function useGroupChip(value: string | undefined, org?: string): Filter {
  const { t } = useTranslation();
  const isOpen = isPageOpen(useSession(), '/groups/list');
  const chosen = useQuery({ ...groupQuery(value ?? '', org), enabled: isOpen && value !== undefined }).data;
  return {
    name: 'group',
    label: t('devices.filter.group'),
    value,
    options: [],
    shown: isOpen ? (chosen === null ? t('devices.filter.goneGroup') : chosen?.group.groupName) : t('devices.filter.closedGroup'),
  };
}

/**
 * The group filter, whose groups are searched on the server; a deleted group stays selected and is labelled as deleted. Who may not read groups
 * chooses none. @param org chosen by the main account
 */
export function useGroupFilter(value: string | undefined, org?: string): Filter {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const isOpen = isPageOpen(useSession(), '/groups/list');
  const { data } = useQuery({ ...groupChoices(useDeferredValue(text.trim()), org), enabled: isOpen });
  const chip = useGroupChip(value, org);
  if (!isOpen) return chip;
  const found = (data?.options ?? []).map(({ group, groupName }) => ({ value: group, label: groupName }));
  return {
    ...chip,
    // With a text, all groups are no response.
    options: text.trim() === '' ? [{ value: '', label: t('devices.filter.allGroups') }, ...found] : found,
    onFind: setText,
    note: data !== undefined && data.total > data.options.length ? t('devices.filter.moreGroups') : undefined,
  };
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeletion } from '../../api/useDeletion.tsx';
import { DeleteMode } from '../../ui/list/DeleteMode.tsx';
import type { Selection } from '../../ui/list/useSelection.ts';
import { sentences } from '../../ui/sentences.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { deleteGroups, type Group } from './groups.api.ts';

export interface DeleteGroupsProps {
  readonly selection: Selection<Group>;
  readonly reload: () => void;
  /** Why this person may not delete at all. */
  readonly notAllowed?: string | undefined;
}

/** Deletes the picked groups, but not their devices (GRP-04). */
export function DeleteGroups({ selection, reload, notAllowed }: DeleteGroupsProps): ReactNode {
  const { t } = useTranslation();
  /** What becomes of devices and bindings. */
  const consequences = () => {
    const count = [...selection.selected.values()].filter(({ bind }) => bind.firmware.length + bind.config.length > 0).length;
    const bound = count === 0 ? [] : [t('groups.remove.bound', { count, shown: formatNumber(count) })];
    return sentences([t('groups.remove.devices'), ...bound]);
  };
  const deletion = useDeletion({
    selection,
    reload,
    question: t('groups.remove.question'),
    nameOf: ({ groupName }) => groupName,
    means: consequences(),
    yes: t('groups.remove.enter'),
    run: (picked) => deleteGroups(picked.map(({ group }) => group)),
    onDone: () => toast(t('groups.remove.done')),
  });
  return (
    <DeleteMode
      selection={selection}
      enter={t('groups.remove.enter')}
      count={(number) => t('groups.remove.count', { number })}
      notAllowed={notAllowed}
      deletion={deletion}
    />
  );
}

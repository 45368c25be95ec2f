import { type ReactNode, useRef } from 'react';
import { useTranslation } from '#i18n';
import { changedEffect } from '../../api/confirmed.ts';
import { DeleteRows } from '../../api/useDeletion.tsx';
import type { Selection } from '../../ui/list/useSelection.ts';
import { sentences } from '../../ui/sentences.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { deleteGroups } from './groups.api.ts';
import type { Group } from '../../entities/groups/group.api.ts';
import { useBlind } from './useBlind.ts';
import { useReturning } from './useReturning.ts';

export interface DeleteGroupsProps {
  readonly selection: Selection<Group>;
  readonly reload: () => void;
  /** Why this person may not delete at all. */
  readonly notAllowed?: string | undefined;
  /** In the bar of the selection. */
  readonly inBar?: boolean;
}

/** Deletes the picked groups, but not their devices (GRP-04). */
export function DeleteGroups({ selection, reload, notAllowed, inBar }: DeleteGroupsProps): ReactNode {
  const { t } = useTranslation();
  const loadReturning = useReturning();
  const loadBlind = useBlind();
  const remove = useRemoval('groups');
  /** `confirmation` of the consequences that the question shows. */
  const seen = useRef<string>(undefined);
  /** The consequences for devices and bindings. */
  const consequences = async () => {
    const groups = [...selection.selected.values()];
    const { effects, confirmation } = await loadReturning(groups.map(({ group }) => group));
    seen.current = confirmation;
    const count = groups.filter(({ bind }) => bind.firmware.length + bind.config.length > 0).length;
    const bound = count === 0 ? [] : [t('groups.remove.bound', { count, shown: formatNumber(count) })];
    const blind = await loadBlind(groups.map(({ group }) => group));
    return sentences([t('groups.remove.devices'), ...effects, ...bound, ...blind]);
  };
  return (
    <DeleteRows
      selection={selection}
      reload={reload}
      question={t('groups.remove.question')}
      nameOf={({ groupName }) => groupName}
      means={consequences}
      yes={t('groups.remove.enter')}
      job={(picked) =>
        remove(
          picked.map(({ group }) => group),
          seen.current,
        )
      }
      run={(picked) =>
        deleteGroups(
          picked.map(({ group }) => group),
          seen.current,
        )
      }
      onDone={() => toast(t('groups.remove.done'))}
      onError={(error, { confirm }) => {
        const isChanged = changedEffect(error) !== undefined;
        if (isChanged) confirm();
        return isChanged;
      }}
      count={(number) => t('groups.remove.count', { number })}
      notAllowed={notAllowed}
      inBar={inBar}
    />
  );
}

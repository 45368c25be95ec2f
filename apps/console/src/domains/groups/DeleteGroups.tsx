import { DEFAULT_GROUP_KEY } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeletion } from '../../api/useDeletion.tsx';
import { DeleteMode } from '../../ui/list/DeleteMode.tsx';
import type { Selection } from '../../ui/list/useSelection.ts';
import { sentences } from '../../ui/sentences.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { fetchMoveImpact, type Impact } from './form/files.api.ts';
import { deleteGroups, type Group } from './groups.api.ts';

export interface DeleteGroupsProps {
  readonly selection: Selection<Group>;
  readonly reload: () => void;
  /** Why this person may not delete at all. */
  readonly notAllowed?: string | undefined;
}

/** Vehicles that the question names. */
const NAMED = 5;
/** Groups whose devices are checked before they are deleted. */
const MAX_LOOKED_AT = 200;

/** What the default group's bindings do immediately to the devices that return to it. */
async function findReturning(keys: readonly string[]): Promise<readonly (readonly ['restart' | 'reconnect', Impact])[]> {
  if (keys.length === 0 || keys.length > MAX_LOOKED_AT) return [];
  const { firmware, config } = await fetchMoveImpact({ group: DEFAULT_GROUP_KEY, from: keys });
  return [...(firmware ? [['restart', firmware] as const] : []), ...(config ? [['reconnect', config] as const] : [])].filter(
    ([, { change, offline }]) => change > offline,
  );
}

/** Deletes the picked groups, but not their devices (GRP-04). */
export function DeleteGroups({ selection, reload, notAllowed }: DeleteGroupsProps): ReactNode {
  const { t } = useTranslation();
  /** The consequences for devices and bindings. */
  const consequences = async () => {
    const returning = await findReturning([...selection.selected.values()].map(({ group }) => group));
    const count = [...selection.selected.values()].filter(({ bind }) => bind.firmware.length + bind.config.length > 0).length;
    const bound = count === 0 ? [] : [t('groups.remove.bound', { count, shown: formatNumber(count) })];
    const now = returning.map(([kind, { change, offline, vehicles }]) =>
      t(`groups.remove.${kind}`, {
        count: change - offline,
        shown: formatNumber(change - offline),
        names: vehicles.slice(0, NAMED).join(', '),
      }),
    );
    return sentences([t('groups.remove.devices'), ...now, ...bound]);
  };
  const deletion = useDeletion({
    selection,
    reload,
    question: t('groups.remove.question'),
    nameOf: ({ groupName }) => groupName,
    means: consequences,
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

import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/useAction.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { askYesNo } from '../../ui/dialogs.ts';
import type { Selection } from '../../ui/list/useSelection.ts';
import { toast } from '../../ui/toasts.ts';
import { deleteGroups, type Group } from './groups.api.ts';

export interface DeleteGroupsProps {
  readonly selection: Selection<Group>;
  readonly reload: () => void;
  /** Why this person may not delete at all. */
  readonly notAllowed?: string | undefined;
}

/** Enters the delete mode; in it, Delete(n) and Cancel (GRP-04, SHR-07). */
export function DeleteGroups({ selection, reload, notAllowed }: DeleteGroupsProps): ReactNode {
  const { t } = useTranslation();
  const number = selection.selected.size;
  const leave = () => {
    selection.leave();
    reload();
  };
  const remove = useAction<readonly string[], void>({
    run: deleteGroups,
    onDone: () => {
      toast(t('groups.remove.done'));
      leave();
    },
  });
  const ask = async () => {
    const sure = await askYesNo({
      title: t('ui.dialog.warningTitle'),
      text: t('groups.remove.question'),
      items: [...selection.selected.values()].map(({ groupName }) => groupName),
      warning: t('ui.dialog.permanent'),
      yes: t('groups.remove.enter'),
      no: t('ui.cancel'),
      danger: true,
    });
    if (sure) remove.run([...selection.selected.keys()]);
  };
  if (!selection.active) {
    return (
      <ActionButton icon={<IconTrash size={16} />} disabledReason={notAllowed} onClick={selection.enter}>
        {t('groups.remove.enter')}
      </ActionButton>
    );
  }
  return (
    <>
      <Button onClick={leave}>{t('ui.cancel')}</Button>
      <ActionButton
        variant="filled"
        color="danger"
        loading={remove.busy}
        disabledReason={number === 0 ? t('ui.dialog.selectFirst') : undefined}
        onClick={() => void ask()}
      >
        {t('groups.remove.count', { number })}
      </ActionButton>
    </>
  );
}

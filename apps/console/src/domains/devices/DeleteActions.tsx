import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '../../ui/ActionButton.tsx';
import type { Selection } from '../../ui/list/useSelection.ts';
import type { Device } from './devices.api.ts';
import { useDeleteDevices } from './useDeleteDevices.ts';

export interface DeleteActionsProps {
  readonly selection: Selection<Device>;
  readonly reload: () => void;
  /** Why this person may not delete at all. */
  readonly notAllowed?: string | undefined;
}

/** Enters the delete mode; in it, Delete(n) and Cancel (SHR-07). */
export function DeleteActions({ selection, reload, notAllowed }: DeleteActionsProps): ReactNode {
  const { t } = useTranslation();
  const remove = useDeleteDevices(selection, reload);
  const number = selection.selected.size;
  if (!selection.active) {
    return (
      <ActionButton icon={<IconTrash size={16} />} disabledReason={notAllowed} onClick={selection.enter}>
        {t('devices.remove.enter')}
      </ActionButton>
    );
  }
  return (
    <>
      <Button
        onClick={() => {
          selection.leave();
          reload();
        }}
      >
        {t('ui.cancel')}
      </Button>
      <ActionButton
        variant="filled"
        color="danger"
        loading={remove.busy}
        disabledReason={number === 0 ? t('ui.dialog.selectFirst') : undefined}
        onClick={remove.ask}
      >
        {t('devices.remove.count', { number })}
      </ActionButton>
    </>
  );
}

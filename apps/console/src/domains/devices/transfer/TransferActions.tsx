import type { rollouts } from '@highline/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { changedEffect } from '../../../api/confirmed.ts';
import { highlight } from '../../../api/highlights.ts';
import { useAction } from '../../../api/useAction.ts';
import { useNotAllowed } from '../../../api/useNotAllowed.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import type { Selection } from '../../../ui/list/useSelection.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { toast } from '../../../ui/toasts.ts';
import type { Device } from '../../../entities/devices/devices.api.ts';
import { useDeleteDevices } from '../DeleteDevices.tsx';
import { type Target, transferDevices } from './transfer.api.ts';
import { TransferDialog } from './TransferDialog.tsx';

export interface TransferActionsProps {
  readonly selection: Selection<Device>;
  readonly reload: () => void;
}

/** Transfer the selected devices to an organization, report the result, and refresh the list (OGL-04). */
function useTransfer({ selection, reload }: TransferActionsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const devices = [...selection.selected.values()];
  const [changed, setChanged] = useState<rollouts.Arrivals>();
  const action = useAction<Target & { readonly confirmed: string }, number>({
    run: ({ id, confirmed }) =>
      transferDevices({ target: id, serials: devices.map((device) => device.serial_number) }, confirmed),
    onDone: (count, { name }) => {
      setOpen(false);
      highlight('devices', [...selection.selected.keys()]);
      toast(t('transfer.done', { count, shown: formatNumber(count), name }));
      selection.leave();
      reload();
    },
    onError: (error) => {
      const impact = changedEffect<rollouts.Arrivals>(error);
      // Show the new impact and ask again.
      setChanged(impact);
      if (impact !== undefined) return true;
      // The failure is shown in the following dialog; the selection starts over.
      setOpen(false);
      return false;
    },
  });
  const close = () => setOpen(false);
  const dialog = open && (
    <TransferDialog
      devices={devices}
      busy={action.busy}
      changed={changed}
      onClose={close}
      onTransfer={(target, confirmed) => action.run({ ...target, confirmed })}
    />
  );
  const confirm = () => {
    setChanged(undefined);
    setOpen(true);
  };
  return { dialog, confirm };
}

/** Enters the mode of picking; in it, Transfer(n), Delete(n) and Cancel (OGL-04, SHR-07). */
export function TransferActions(props: TransferActionsProps): ReactNode {
  const { selection, reload } = props;
  const { t } = useTranslation();
  const remove = useDeleteDevices(selection, reload);
  const transfer = useTransfer(props);
  const number = selection.selected.size;
  const missing = number === 0 ? t('ui.dialog.selectFirst') : undefined;
  const mayNotTransfer = useNotAllowed('organizations.transferDevices');
  const mayNotDelete = useNotAllowed('devices.delete');
  if (!selection.active)
    return (
      <ActionButton disabledReason={mayNotTransfer && mayNotDelete} onClick={selection.enter}>
        {t('transfer.enter')}
      </ActionButton>
    );
  return (
    <>
      <Button onClick={remove.leave}>{t('ui.cancel')}</Button>
      <ActionButton disabledReason={mayNotTransfer ?? missing} onClick={transfer.confirm}>
        {t('transfer.count', { number })}
      </ActionButton>
      <ActionButton
        variant="filled"
        color="danger"
        loading={remove.busy}
        disabledReason={mayNotDelete ?? missing}
        onClick={remove.confirm}
      >
        {t('devices.remove.count', { number })}
      </ActionButton>
      {transfer.dialog}
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/useAction.ts';
import { askYesNo } from '../../ui/dialogs.ts';
import type { Selection } from '../../ui/list/useSelection.ts';
import { toast } from '../../ui/toasts.ts';
import { deleteDevices, type Device } from './devices.api.ts';

/** Ask, delete what is picked, say so, and show the list again (DEV-04, SHR-07). */
export function useDeleteDevices(selection: Selection<Device>, reload: () => void) {
  const { t } = useTranslation();
  const action = useAction<readonly string[], void>({
    run: deleteDevices,
    onDone: () => {
      toast(t('ui.done.deleted'));
      selection.leave();
      reload();
    },
  });
  const ask = async () => {
    const sure = await askYesNo({
      title: t('ui.dialog.warningTitle'),
      text: t('devices.remove.question'),
      items: [...selection.selected.values()].map((device) => device.serial_number),
      warning: t('ui.dialog.permanent'),
      yes: t('devices.remove.enter'),
      no: t('ui.cancel'),
      danger: true,
    });
    if (sure) action.run([...selection.selected.keys()]);
  };
  return { ask: () => void ask(), busy: action.busy };
}

import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { type Deletion, useDeletion } from '../../api/useDeletion.tsx';
import { DeleteMode } from '../../ui/list/DeleteMode.tsx';
import type { Selection } from '../../ui/list/useSelection.ts';
import { deleteDevices, type Device } from '../../entities/devices/devices.api.ts';

/** People know a vehicle by its number, and check the serial number before they delete it. */
const nameOf = ({ vehicle_number: vehicle, serial_number: serial }: Device) =>
  vehicle === '' ? serial : `${vehicle} · ${serial}`;

/** Deletes the picked devices (DEV-04), from the mode of deleting as from that of transferring. */
export function useDeleteDevices(selection: Selection<Device>, reload: () => void): Deletion {
  const { t } = useTranslation();
  return useDeletion({
    selection,
    reload,
    question: t('devices.remove.question'),
    nameOf,
    means: t('devices.remove.means'),
    yes: t('devices.remove.enter'),
    run: (picked) => deleteDevices(picked.map(({ device }) => device)),
  });
}

export interface DeleteDevicesProps {
  readonly selection: Selection<Device>;
  readonly reload: () => void;
  /** Why this person may not delete at all. */
  readonly notAllowed?: string | undefined;
}

/** Deletes the picked devices (DEV-04). */
export function DeleteDevices({ selection, reload, notAllowed }: DeleteDevicesProps): ReactNode {
  const { t } = useTranslation();
  return (
    <DeleteMode
      selection={selection}
      enter={t('devices.remove.enter')}
      count={(number) => t('devices.remove.count', { number })}
      notAllowed={notAllowed}
      deletion={useDeleteDevices(selection, reload)}
    />
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteMode } from '../../ui/list/DeleteMode.tsx';
import type { Selection } from '../../ui/list/useSelection.ts';
import type { Device } from './devices.api.ts';
import { useDeleteDevices } from './useDeleteDevices.ts';

export interface DeleteActionsProps {
  readonly selection: Selection<Device>;
  readonly reload: () => void;
  /** Why this person may not delete at all. */
  readonly notAllowed?: string | undefined;
}

/** Deletes the picked devices (DEV-04). */
export function DeleteActions({ selection, reload, notAllowed }: DeleteActionsProps): ReactNode {
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

import { Button } from '../../../ui/controls/Button.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Dialog } from '../../../ui/Dialog.tsx';
import { MemberTable } from './MemberTable.tsx';

export interface ViewDevicesProps {
  readonly group: { readonly group: string; readonly groupName: string };
  readonly onClose: () => void;
  /** Present: the viewer may also change the group. */
  readonly onEdit?: () => void;
}

/** The devices of a group, read-only: for a user from the list, and for the default group (GRP-09). */
export function ViewDevices({ group, onClose, onEdit }: ViewDevicesProps): ReactNode {
  const { t } = useTranslation();
  const title = t('groups.move.title', { group: group.groupName });
  return (
    <Dialog
      title={title}
      wide
      onClose={onClose}
      actions={
        <>
          {onEdit !== undefined && <Button onClick={onEdit}>{t('groups.control.change')}</Button>}
          <Button onClick={onClose}>{t('ui.close')}</Button>
        </>
      }
    >
      <div className="move__list">
        <MemberTable id="group-devices" caption={title} group={group.group} />
      </div>
    </Dialog>
  );
}

import { Button } from '../../../ui/controls/Button.tsx';
import { type ReactNode, useId } from 'react';
import { useTranslation } from '#i18n';
import { useShowError } from '../../../api/useAction.ts';
import { confirmAction } from '../../../ui/dialogs.ts';
import { sentences } from '../../../ui/sentences.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { isDefaultGroup } from '../group.ts';
import { MoveDialog } from '../move/MoveDialog.tsx';
import { leavesEmpty, type Moves } from '../move/moves.ts';
import { ViewDevices } from '../move/ViewDevices.tsx';
import { useReturning } from '../useReturning.ts';

interface Devices {
  /** Undefined: it does not exist yet. */
  readonly group: string | undefined;
  readonly name: string;
  readonly deviceCount: number;
  readonly moves: Moves;
  /** Why its devices cannot be chosen; they can be looked at. */
  readonly notAllowed?: string | undefined;
}

function isViewOnly(group: string | undefined, notAllowed: string | undefined): group is string {
  return group !== undefined && (isDefaultGroup(group) || notAllowed !== undefined);
}

/** Devices: Edit, or View for the default group, and how many there will be (GRP-08). */
export function DevicesField({
  group,
  deviceCount,
  moves,
  notAllowed,
  onOpen,
}: Omit<Devices, 'name'> & { readonly onOpen: () => void }): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const count = deviceCount + moves.add.length - moves.remove.length;
  const moving = moves.add.length > 0 || moves.remove.length > 0;
  return (
    <div className="devices-field">
      <span id={`${id}-label`} className="field-label">
        {t('groups.form.devices')}
      </span>
      <div className="devices-field__row">
        {(group !== undefined || notAllowed === undefined) && (
          <Button id={`${id}-button`} aria-labelledby={`${id}-label ${id}-button`} aria-haspopup="dialog" onClick={onOpen}>
            {t(isViewOnly(group, notAllowed) ? 'groups.form.view' : 'groups.form.edit')}
          </Button>
        )}
        <span>{t('groups.form.deviceCount', { count, shown: formatNumber(count) })}</span>
        {moving && (
          <span className="dim" role="status">
            {t('groups.form.moves', { incoming: formatNumber(moves.add.length), outgoing: formatNumber(moves.remove.length) })}
          </span>
        )}
        {notAllowed !== undefined && <span className="dim">{notAllowed}</span>}
      </div>
    </div>
  );
}

export interface DevicesDialogProps extends Devices {
  readonly onMoves: (moves: Moves) => void;
  /** The user chose to delete the empty group. */
  readonly onDelete: (confirmed: string) => void;
  readonly onClose: () => void;
}

/** The dialog behind it: moving devices, or looking at them; a group left empty may be deleted (GRP-09). */
export function DevicesDialog(props: DevicesDialogProps): ReactNode {
  const { group, name, deviceCount, moves, notAllowed, onMoves, onDelete, onClose } = props;
  const { t } = useTranslation();
  const loadReturning = useReturning();
  const showError = useShowError();
  const keep = async (next: Moves) => {
    onClose();
    onMoves(next);
    if (group === undefined || !leavesEmpty(next, deviceCount)) return;
    const { effects, confirmation } = await loadReturning([group]);
    const remove = await confirmAction({
      title: t('groups.form.emptyTitle'),
      text: t('groups.form.emptyText', { name }),
      ...(effects.length === 0 ? {} : { means: sentences([t('groups.remove.devices'), ...effects]) }),
      yes: t('groups.form.emptyDelete'),
      no: t('groups.form.emptyNo'),
      effect: 'permanent',
    });
    if (remove) onDelete(confirmation);
  };
  return isViewOnly(group, notAllowed) ? (
    <ViewDevices group={{ group, groupName: name }} onClose={onClose} />
  ) : (
    <MoveDialog group={group} name={name} moves={moves} onClose={onClose} onSave={(next) => void keep(next).catch(showError)} />
  );
}

import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askYesNo } from '../../../ui/dialogs.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { isDefaultGroup } from '../group.ts';
import { MoveDialog } from '../move/MoveDialog.tsx';
import { leavesEmpty, type Moves } from '../move/moves.ts';
import { ViewDevices } from '../move/ViewDevices.tsx';

export interface DevicesFieldProps {
  /** Undefined: it does not exist yet. */
  readonly group: string | undefined;
  readonly name: string;
  readonly deviceCount: number;
  readonly moves: Moves;
  readonly onMoves: (moves: Moves) => void;
  /** The person wants a group without devices to be deleted. */
  readonly onDelete: () => void;
}

/** Devices: Edit, or View for the default group; a group left empty may be deleted (GRP-08, GRP-09). */
export function DevicesField({ group, name, deviceCount, moves, onMoves, onDelete }: DevicesFieldProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const viewOnly = group !== undefined && isDefaultGroup(group);
  const count = deviceCount + moves.add.length - moves.remove.length;
  const moving = moves.add.length > 0 || moves.remove.length > 0;

  const keep = async (next: Moves) => {
    close();
    onMoves(next);
    if (group === undefined || !leavesEmpty(next, deviceCount)) return;
    const remove = await askYesNo({
      title: t('groups.form.emptyTitle'),
      text: t('groups.form.emptyText', { name }),
      warning: t('ui.dialog.permanent'),
      yes: t('groups.form.emptyDelete'),
      no: t('groups.form.emptyNo'),
      danger: true,
    });
    if (remove) onDelete();
  };

  return (
    <div className="devices-field">
      <span id={`${id}-label`} className="field-label">
        {t('groups.form.devices')}
      </span>
      <div className="devices-field__row">
        <Button
          id={`${id}-button`}
          aria-labelledby={`${id}-label ${id}-button`}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          {t(viewOnly ? 'groups.form.view' : 'groups.form.edit')}
        </Button>
        <span>{t('groups.form.deviceCount', { count, shown: formatNumber(count) })}</span>
        {moving && (
          <span className="dim" role="status">
            {t('groups.form.moves', { incoming: formatNumber(moves.add.length), outgoing: formatNumber(moves.remove.length) })}
          </span>
        )}
      </div>
      {open && viewOnly && <ViewDevices group={{ group, groupName: name }} onClose={close} />}
      {open && !viewOnly && (
        <MoveDialog group={group} name={name} moves={moves} onClose={close} onSave={(next) => void keep(next)} />
      )}
    </div>
  );
}

import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { type ReactNode, useCallback, useId, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx';
import { type Selection, useSelection } from '../../../ui/list/useSelection.ts';
import { useInputLoss } from '../../../ui/losses.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import type { Member } from './members.api.ts';
import { MemberTable } from './MemberTable.tsx';
import { type Moves, moveIn, moveOut, sameMoves, withoutMove } from './moves.ts';
import { vehicleName } from '../../../entities/devices/vehicle-name.ts';

const idOf = (member: Member) => member.device;
const drop = (selection: Selection<Member>) => selection.setMany([...selection.selected.values()], false);

interface SideProps {
  readonly title: string;
  readonly group: string | undefined;
  readonly arriving: readonly Member[];
  readonly leaving: readonly Member[];
  readonly selection: Selection<Member>;
  readonly onUndo: (member: Member) => void;
}

/** One of the two lists, with the number of selected devices on all pages. */
function Side({ title, group, arriving, leaving, selection, onUndo }: SideProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const leavingIds = useMemo(() => new Set(leaving.map(idOf)), [leaving]);
  const checked = selection.selected.size;
  return (
    // Its table is a landmark with this name already; this element only groups it with its search and count.
    <div className="move__list" role="group" aria-labelledby={id}>
      <div className="move__head">
        <h3 id={id}>{title}</h3>
        <span className="dim" role="status">
          {checked > 0 && t('groups.move.checked', { count: checked, shown: formatNumber(checked) })}
        </span>
        <span className="spacer" />
        {checked > 0 && (
          <button type="button" className="link" onClick={() => drop(selection)}>
            {t('groups.move.uncheck')}
          </button>
        )}
      </div>
      <MemberTable
        id={`move-${group ?? 'new'}`}
        caption={title}
        group={group}
        arriving={arriving}
        leaving={leavingIds}
        selection={selection}
        onUndo={onUndo}
      />
    </div>
  );
}

/** The selection of one side: devices that already leave, or may not move, cannot be selected, and give the reason. */
function useChecks(leaving: readonly Member[], arriving: readonly Member[], pool: boolean): Selection<Member> {
  const { t } = useTranslation();
  const leavingIds = useMemo(() => new Set(leaving.map(idOf)), [leaving]);
  const arrivingIds = useMemo(() => new Set(arriving.map(idOf)), [arriving]);
  const reason = useCallback(
    (member: Member) => {
      if (leavingIds.has(member.device)) return t('groups.move.moving');
      // Devices that were in the group a moment ago may move back.
      return pool && !member.movable && !arrivingIds.has(member.device) ? t('groups.move.notSubscribed') : undefined;
    },
    [t, leavingIds, arrivingIds, pool],
  );
  return useSelection(idOf, reason, true, vehicleName);
}

export interface MoveDialogProps {
  /** Undefined for a group that does not exist yet. */
  readonly group: string | undefined;
  readonly name: string;
  readonly moves: Moves;
  readonly onClose: () => void;
  readonly onSave: (moves: Moves) => void;
}

/**
 * Move devices between the default group and a group (GRP-09): both lists are paged and searched on the server, checks
 * survive paging, and nothing is sent before the group itself is saved.
 */
export function MoveDialog({ group, name, moves: before, onClose, onSave }: MoveDialogProps): ReactNode {
  const { t } = useTranslation();
  const [moves, setMoves] = useState(before);
  const pool = useChecks(moves.add, moves.remove, true);
  const mine = useChecks(moves.remove, moves.add, false);
  const changed = !sameMoves(before, moves);
  const shift = (from: Selection<Member>, how: typeof moveIn) => {
    setMoves(how(moves, [...from.selected.values()]));
    drop(from);
  };
  const undo = (member: Member) => setMoves(withoutMove(moves, member));
  const needsCheck = (selection: Selection<Member>) => (selection.selected.size === 0 ? t('groups.move.checkFirst') : undefined);
  const loss = useInputLoss(changed);
  return (
    <Dialog
      title={t('groups.move.title', { group: name === '' ? t('groups.form.panel') : name })}
      full
      sticky
      onClose={onClose}
      loss={loss}
      actions={
        <>
          <CloseButton>{t('ui.cancel')}</CloseButton>
          <ActionButton
            variant="filled"
            disabledReason={changed ? undefined : t('groups.move.moveFirst')}
            onClick={() => onSave(moves)}
          >
            {t('ui.save')}
          </ActionButton>
        </>
      }
    >
      <div className="move">
        <Side
          title={t('groups.move.pool')}
          group={DEFAULT_GROUP_KEY}
          arriving={moves.remove}
          leaving={moves.add}
          selection={pool}
          onUndo={undo}
        />
        <div className="move__buttons">
          <ActionButton
            icon={<IconArrowRight className="move__arrow" size={16} />}
            disabledReason={needsCheck(pool)}
            onClick={() => shift(pool, moveIn)}
          >
            {t('groups.move.join')}
          </ActionButton>
          <ActionButton
            icon={<IconArrowLeft className="move__arrow" size={16} />}
            disabledReason={needsCheck(mine)}
            onClick={() => shift(mine, moveOut)}
          >
            {t('groups.move.leave')}
          </ActionButton>
        </div>
        <Side
          title={t('groups.move.here')}
          group={group}
          arriving={moves.add}
          leaving={moves.remove}
          selection={mine}
          onUndo={undo}
        />
      </div>
    </Dialog>
  );
}

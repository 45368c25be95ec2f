import { Button } from '../controls/Button.tsx';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from '../ActionButton.tsx';
import type { Selection } from './useSelection.ts';

export interface DeleteModeProps<Row> {
  readonly selection: Selection<Row>;
  /** The purpose of the mode. */
  readonly enter: string;
  /** 'Delete(n)'. */
  readonly count: (number: number) => string;
  /** Why this person may not delete at all. */
  readonly notAllowed?: string | undefined;
  /** In the bar of the selection: the button alone, outside of the mode (BLK-01). */
  readonly inBar?: boolean | undefined;
  readonly deletion: {
    readonly confirm: () => void;
    readonly busy: boolean;
    readonly leave: () => void;
    readonly dialog: ReactNode;
  };
}

/** Enters the delete mode of a list; in it, Delete(n) and Cancel (SHR-07). */
export function DeleteMode<Row>({ selection, enter, count, notAllowed, inBar, deletion }: DeleteModeProps<Row>): ReactNode {
  const { t } = useTranslation();
  const number = selection.selected.size;
  if (inBar === true) {
    return (
      <>
        <ActionButton
          color="danger"
          loading={deletion.busy}
          disabledReason={notAllowed ?? selection.blocked}
          onClick={deletion.confirm}
        >
          {count(number)}
        </ActionButton>
        {deletion.dialog}
      </>
    );
  }
  if (!selection.active) {
    return (
      <ActionButton icon={<IconTrash size={16} />} disabledReason={notAllowed} onClick={selection.enter}>
        {enter}
      </ActionButton>
    );
  }
  return (
    <>
      <Button onClick={deletion.leave}>{t('ui.cancel')}</Button>
      <ActionButton
        variant="filled"
        color="danger"
        loading={deletion.busy}
        disabledReason={number === 0 ? t('ui.dialog.selectFirst') : undefined}
        onClick={deletion.confirm}
      >
        {count(number)}
      </ActionButton>
      {deletion.dialog}
    </>
  );
}

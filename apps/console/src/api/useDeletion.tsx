import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { confirmAction } from '../ui/dialogs.ts';
import { DeleteMode, type DeleteModeProps } from '../ui/list/DeleteMode.tsx';
import type { Selection } from '../ui/list/useSelection.ts';
import { toast } from '../ui/toasts.ts';
import { TypedConfirm } from '../ui/TypedConfirm.tsx';
import { useAction, useShowError } from './useAction.ts';

export interface DeletionOptions<Row, Done> {
  readonly selection: Selection<Row>;
  /** Shows the list again. */
  readonly reload: () => void;
  readonly question: string;
  /** The text of each row in the confirmation. */
  readonly nameOf: (row: Row) => string;
  /** Consequences, shown before 'cannot be undone'. A function loads them from the server; if that fails, nothing is deleted. */
  readonly means?: string | (() => Promise<string>);
  /** Label of the confirming button. */
  readonly yes: string;
  /** A text the user must type after confirming. */
  readonly typed?: { readonly title: string; readonly text: string; readonly word: string };
  readonly run: (rows: readonly Row[]) => Promise<Done>;
  /** Deletes several rows of the bar of a selection as one job. @returns what shows its result (BLK-01) */
  readonly job?: (rows: readonly Row[]) => Promise<() => void>;
  /** Absent: a toast confirms it. */
  readonly onDone?: (done: Done) => void;
  /** Handles the failures it knows, for example by leaving the mode since some rows were deleted; false = show the dialog. */
  readonly onError?: (error: unknown, deletion: Pick<Deletion, 'leave' | 'confirm'>) => boolean;
}

/** The way from picked rows to their deletion. */
export interface Deletion {
  readonly confirm: () => void;
  /** While the consequences load, and while rows are deleted. */
  readonly busy: boolean;
  /** Ends the mode and shows the list again. */
  readonly leave: () => void;
  /** Rendered next to the buttons. */
  readonly dialog: ReactNode;
}

/** Confirm, delete the selected rows, report the result and refresh the list (SHR-07). */
export function useDeletion<Row, Done>(options: DeletionOptions<Row, Done>): Deletion {
  const { selection, reload, question, nameOf, means, yes, typed, job, onDone, onError } = options;
  const { t } = useTranslation();
  const [isTyping, setTyping] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const picked = [...selection.selected.values()];
  const leave = () => {
    selection.leave();
    reload();
  };
  const shown = (done: Done) => () => (onDone === undefined ? toast(t('ui.done.deleted')) : onDone(done));
  const action = useAction<readonly Row[], () => void>({
    run: async (rows) => (job !== undefined && rows.length > 1 ? job(rows) : shown(await options.run(rows))),
    onDone: (show) => {
      setTyping(false);
      leave();
      show();
    },
    onError: (error) => onError?.(error, { leave, confirm: () => start() }) ?? false,
  });
  const showError = useShowError();
  const load = (loadMeans: () => Promise<string>) => {
    setLoading(true);
    return loadMeans().finally(() => setLoading(false));
  };
  const confirm = async () => {
    const consequence = typeof means === 'function' ? await load(means) : means;
    const isSure = await confirmAction({
      title: t('ui.dialog.warningTitle'),
      text: question,
      items: picked.map((row) => nameOf(row)),
      ...(consequence !== '' && { means: consequence }),
      yes,
      no: t('ui.cancel'),
      effect: 'permanent',
    });
    if (!isSure) return;
    if (typed === undefined) action.run(picked);
    else setTyping(true);
  };
  const start = () => void confirm().catch(showError);
  const dialog = isTyping && typed !== undefined && (
    <TypedConfirm
      {...typed}
      confirm={yes}
      busy={action.busy}
      onClose={() => setTyping(false)}
      onConfirm={() => action.run(picked)}
    />
  );
  return { confirm: start, busy: action.busy || isLoading, leave, dialog };
}

/** What a list passes to the deletion of its selected rows. */
export interface DeleteProps<Row> {
  readonly selection: Selection<Row>;
  readonly reload: () => void;
  /** In the bar of the selection. */
  readonly inBar?: boolean;
}

/** Enters the delete mode of a list, in which its selected rows are deleted (SHR-07). */
export function DeleteRows<Row, Done>({
  count,
  notAllowed,
  inBar,
  job,
  ...options
}: DeletionOptions<Row, Done> & Pick<DeleteModeProps<Row>, 'count' | 'notAllowed' | 'inBar'>): ReactNode {
  const { selection, yes } = options;
  return (
    <DeleteMode
      {...{ selection, count, notAllowed, inBar }}
      enter={yes}
      deletion={useDeletion({ ...options, ...(inBar === true && job !== undefined ? { job } : {}) })}
    />
  );
}

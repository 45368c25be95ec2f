import { useTranslation } from '#i18n';
import { showMessage } from '../ui/dialogs.ts';
import { toast } from '../ui/toasts.ts';
import { useAction } from './useAction.ts';
import { useErrorText } from './useErrorText.ts';

interface Failed<Row> {
  readonly row: Row;
  readonly error: unknown;
}

export interface EachOptions<Row> {
  /** The name of a row in the result. */
  readonly nameOf: (row: Row) => string;
  readonly run: (row: Row) => Promise<unknown>;
  /** The message when every row succeeded. */
  readonly done: (count: number) => string;
  /** Rows that failed; those stay selected, so that the same button tries exactly them again. */
  readonly onEnd: (failed: readonly Row[]) => void;
}

/** Do something with one selected row after the other, where the server has a call for one only, and say which failed and why (BLK-01). */
export function useEach<Row>({ nameOf, run, done, onEnd }: EachOptions<Row>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useAction<readonly Row[], readonly Failed<Row>[]>({
    run: async (rows) => {
      const failed: Failed<Row>[] = [];
      for (const row of rows) await run(row).catch((error: unknown) => failed.push({ row, error }));
      return failed;
    },
    onDone: (failed, rows) => {
      onEnd(failed.map(({ row }) => row));
      const count = rows.length - failed.length;
      if (count > 0) toast(done(count));
      if (failed.length === 0) return;
      void showMessage({
        title: t('ui.dialog.errorTitle'),
        text: t('ui.selection.notDone', { count: failed.length }),
        items: failed.map(({ row, error }) => t('ui.detail', { name: nameOf(row), detail: errorText(error) })),
      });
    },
  });
}

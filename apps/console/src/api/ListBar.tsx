import { MAX_NAMED_ROWS } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '../ui/ActionButton.tsx';
import { type Language, useLanguage } from '../ui/language.ts';
import type { ListSpec } from '../ui/list/spec.ts';
import { SelectionBar } from '../ui/list/SelectionBar.tsx';
import type { Selection } from '../ui/list/useSelection.ts';
import { formatNumber } from '../ui/time/format.ts';
import { saveFile } from './download.ts';
import { type FileList, visibleColumns } from './DownloadButton.tsx';
import { useAction } from './useAction.ts';
import { type List, MOST_ROWS } from './useList.ts';

/** What the call for the file of a selection has besides the filters and the order of its list. */
export interface SelectedFile {
  readonly language: Language;
  readonly columns: string | undefined;
  /** Ids of the rows; undefined = all that match. */
  readonly only: string | undefined;
}

export interface ListBarProps<Spec extends ListSpec, Row, Answer> {
  readonly list: List<Spec, Row, Answer>;
  readonly selection: Selection<Row>;
  /** The file of the selected rows; absent: the list has none. */
  readonly file?: {
    readonly name: string;
    readonly columns: FileList;
    readonly fetch: (options: SelectedFile) => Promise<Blob>;
  };
  /** The other actions that fit the list. */
  readonly children?: ReactNode;
}

/** What can be done with the selected rows of a list (BLK-01); nothing while none is selected, and in its delete mode. */
export function ListBar<Spec extends ListSpec, Row, Answer extends { readonly total: number }>({
  list,
  selection,
  file,
  children,
}: ListBarProps<Spec, Row, Answer>): ReactNode {
  const { t } = useTranslation();
  const key = JSON.stringify(list.state.query);
  const [all, setAll] = useState<{ readonly rows: ReadonlySet<string>; readonly key: string }>();
  const choose = useAction<void, readonly Row[]>({
    run: list.loadAll,
    onDone: (rows) => {
      selection.setMany(rows, true);
      setAll({ rows: new Set(rows.map((row) => selection.rowId(row))), key });
    },
  });
  const ids = [...selection.selected.keys()];
  const total = list.answer?.total ?? 0;
  // Exactly the rows that match: their file needs no ids.
  const isAll = all !== undefined && all.key === key && ids.length === all.rows.size && ids.every((id) => all.rows.has(id));
  if (selection.active || ids.length === 0) return null;
  const offersAll = !isAll && total > ids.length && total <= MOST_ROWS;
  return (
    <SelectionBar
      label={t('ui.selection.label')}
      count={ids.length}
      onClear={selection.leave}
      all={offersAll ? { count: total, select: () => choose.run() } : undefined}
    >
      {file !== undefined && <Export {...file} only={isAll ? undefined : ids} />}
      {children}
    </SelectionBar>
  );
}

type ExportProps = NonNullable<ListBarProps<ListSpec, unknown, unknown>['file']> & {
  readonly only: readonly string[] | undefined;
};

/** The selected rows as CSV, with the visible columns. */
function Export({ name, columns, fetch, only }: ExportProps): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const download = useAction<void, Blob>({
    run: () => fetch({ language, columns: visibleColumns(columns), only: only?.join(',') }),
    onDone: (file) => saveFile(file, name),
  });
  const isTooMany = (only?.length ?? 0) > MAX_NAMED_ROWS;
  return (
    <ActionButton
      loading={download.busy}
      disabledReason={
        isTooMany ? t('ui.selection.exportLimit', { count: MAX_NAMED_ROWS, shown: formatNumber(MAX_NAMED_ROWS) }) : undefined
      }
      onClick={() => download.run()}
    >
      {t('ui.selection.export')}
    </ActionButton>
  );
}

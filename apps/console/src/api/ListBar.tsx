import { bulkJobs, MAX_NAMED_ROWS } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from '../ui/ActionButton.tsx';
import { useLanguage } from '../ui/language.ts';
import { type ListSpec, queryOf, withoutFilters } from '../ui/list/spec.ts';
import { SelectionBar } from '../ui/list/SelectionBar.tsx';
import type { Selection } from '../ui/list/useSelection.ts';
import { listPreferences } from '../ui/preferences.ts';
import { type Column, shownColumns } from '../ui/table/column.ts';
import { formatNumber } from '../ui/time/format.ts';
import { saveFile } from './download.ts';
import { DownloadButton, type ListFile, visibleColumns } from './DownloadButton.tsx';
import { useAction } from './useAction.ts';
import { rowsFile } from './rows-file.ts';
import { type List, MOST_ROWS } from './useList.ts';

/** The file of a selection that is made here, from the columns with `text`: of lists without a call for a file. */
interface LocalFile<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
}

export interface ListBarProps<Spec extends ListSpec, Row, Response> {
  readonly list: List<Spec, Row, Response>;
  readonly selection: Selection<Row>;
  readonly file: ListFile<Spec> | LocalFile<Row>;
  /** The most rows that its actions take; all that match are selected row by row up to here. */
  readonly most?: number;
  /** The other actions that fit the list. */
  readonly children?: ReactNode;
}

/** The most rows of one job, for lists whose actions are jobs. */
export const MOST_IN_JOB = bulkJobs.MAX_SELECTED;

/** The most rows of a file that is made here. */
const MOST_IN_FILE = 10_000;

/** What can be done with the selected rows of a list (BLK-01); nothing while none is selected, and in its delete mode. */
export function ListBar<Spec extends ListSpec, Row, Response extends { readonly total: number }>({
  list,
  selection,
  file,
  most = MOST_ROWS,
  children,
}: ListBarProps<Spec, Row, Response>): ReactNode {
  const { t } = useTranslation();
  const key = JSON.stringify(list.state.query);
  // All that match: by their rows, or where they are too many without these until the selection or the filter changes.
  const [all, setAll] = useState<{
    readonly rows: ReadonlySet<string> | 'unloaded';
    readonly key: string;
    readonly of: unknown;
  }>();
  const choose = useAction<void, readonly Row[]>({
    run: () => list.loadAll(most),
    onDone: (rows) => {
      selection.setMany(rows, true);
      setAll({ rows: new Set(rows.map((row) => selection.rowId(row))), key, of: undefined });
    },
  });
  const ids = [...selection.selected.keys()];
  const total = list.response?.total ?? 0;
  const chosen = all?.key === key ? all : undefined;
  const isEverything = chosen?.rows === 'unloaded' && chosen.of === selection.choice;
  // Exactly the rows that match: their file needs no ids.
  const isAll =
    isEverything ||
    (chosen !== undefined &&
      chosen.rows !== 'unloaded' &&
      ids.length === chosen.rows.size &&
      ids.every((id) => chosen.rows !== 'unloaded' && chosen.rows.has(id)));
  if (selection.active || ids.length === 0) return null;
  const chooseAll = () => (total <= most ? choose.run() : setAll({ rows: 'unloaded', key, of: selection.choice }));
  return (
    <SelectionBar
      label={t('ui.selection.label')}
      count={isEverything ? total : ids.length}
      onClear={selection.leave}
      busy={choose.busy}
      all={!isAll && total > ids.length ? { count: total, select: chooseAll } : undefined}
    >
      {'fetch' in file ? (
        <ServerExport {...file} list={list} only={isAll ? undefined : ids} />
      ) : (
        <LocalExport
          {...file}
          id={list.spec.id}
          rows={isEverything ? () => list.loadAll(MOST_IN_FILE) : async () => [...selection.selected.values()]}
          count={isEverything ? total : ids.length}
        />
      )}
      {!isEverything && children}
    </SelectionBar>
  );
}

/** The selected rows as CSV, with the visible columns. */
function ServerExport<Spec extends ListSpec, Row, Response>({
  list,
  name,
  columns,
  fetch,
  only,
}: ListFile<Spec> & { readonly list: List<Spec, Row, Response>; readonly only: readonly string[] | undefined }): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const { spec, state } = list;
  const query = only === undefined ? state.query : queryOf(spec, withoutFilters(spec, state.search));
  const download = useAction<void, Blob>({
    run: () => fetch({ ...query, language, columns: visibleColumns(columns), only: only?.join(',') }),
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

/** The same, made here. @param id the key of the list in the user's preferences */
function LocalExport<Row>({
  name,
  columns,
  id,
  rows,
  count,
}: LocalFile<Row> & { readonly id: string; readonly rows: () => Promise<readonly Row[]>; readonly count: number }): ReactNode {
  const { t } = useTranslation();
  const download = useAction<void, readonly Row[]>({
    run: rows,
    onDone: (found) => saveFile(rowsFile(shownColumns(columns, listPreferences(id)), found), name),
  });
  return (
    <ActionButton
      loading={download.busy}
      disabledReason={
        count > MOST_IN_FILE ? t('ui.selection.fileLimit', { count: MOST_IN_FILE, shown: formatNumber(MOST_IN_FILE) }) : undefined
      }
      onClick={() => download.run()}
    >
      {t('ui.selection.export')}
    </ActionButton>
  );
}

/** Download(.csv) and the workbook of a list whose rows can also be selected. */
export function ListDownload<Spec extends ListSpec, Row, Response>({
  list,
  file: { name, columns, fetch },
}: {
  readonly list: List<Spec, Row, Response>;
  readonly file: ListFile<Spec>;
}): ReactNode {
  return (
    <DownloadButton
      fileName={name}
      list={columns}
      hasWorkbook
      fetchFile={(language, shown, format) => fetch({ ...list.state.query, language, columns: shown, format })}
    />
  );
}

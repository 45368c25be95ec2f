import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../Check.tsx';
import type { Selection } from '../list/useSelection.ts';
import { ariaSort, classesOf, type Column, nextSort } from './column.ts';
import { Resizer } from './Resizer.tsx';

interface TableHeadProps<Row> {
  /** The key of the list in the user's preferences. */
  readonly id: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly selection: Selection<Row> | undefined;
}

/** Picks or drops every row of this page that can be picked. */
export function PickPage<Row>({ rows, selection }: { rows: readonly Row[]; selection: Selection<Row> }): ReactNode {
  const { t } = useTranslation();
  const possible = rows.filter((row) => selection.reason(row) === undefined);
  const picked = possible.filter((row) => selection.selected.has(selection.rowId(row)));
  const all = possible.length > 0 && picked.length === possible.length;
  return (
    <Check
      bare
      label={t('ui.table.selectPage')}
      checked={all}
      partly={!all && picked.length > 0}
      disabled={possible.length === 0}
      onChange={() => selection.setMany(possible, !all)}
    />
  );
}

function HeaderCell<Row>({
  id,
  columns,
  column,
  sort,
  onSort,
}: { column: Column<Row> } & Pick<TableHeadProps<Row>, 'id' | 'columns' | 'sort' | 'onSort'>): ReactNode {
  const direction = ariaSort(column.sort, sort);
  const by = column.sort;
  return (
    <th scope="col" className={classesOf(column)} aria-sort={direction} data-column={column.id}>
      {by === undefined ? (
        <span className="table__header">{column.header}</span>
      ) : (
        <button type="button" className="table__sort" onClick={() => onSort(nextSort(by, sort))}>
          <span className="table__header">{column.header}</span>
          {direction === 'ascending' && <IconArrowUp size={14} />}
          {direction === 'descending' && <IconArrowDown size={14} />}
        </button>
      )}
      <Resizer list={id} columns={columns} column={column} />
    </th>
  );
}

/** The header row: sorting, widths, and in delete mode a checkbox for the whole page. */
export function TableHead<Row>({ id, columns, rows, sort, onSort, selection }: TableHeadProps<Row>): ReactNode {
  return (
    <thead>
      <tr>
        {selection !== undefined && (
          <th className="table__pick" scope="col">
            <PickPage rows={rows} selection={selection} />
          </th>
        )}
        {columns.map((column) => (
          <HeaderCell key={column.id} id={id} columns={columns} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

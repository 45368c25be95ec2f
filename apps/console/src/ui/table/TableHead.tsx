import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Check } from '../Check.tsx';
import type { Selection } from '../list/useSelection.ts';
import { ariaSort, classesOf, type Column, nextSort } from './column.ts';

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly selection: Selection<Row> | undefined;
}

/** Picks or drops every row of this page that can be picked. */
function PickPage<Row>({ rows, selection }: { rows: readonly Row[]; selection: Selection<Row> }): ReactNode {
  const { t } = useTranslation();
  const possible = rows.filter((row) => selection.reason(row) === undefined);
  const picked = possible.filter((row) => selection.selected.has(selection.rowId(row)));
  const all = possible.length > 0 && picked.length === possible.length;
  return (
    <th className="table__pick" scope="col">
      <Check
        bare
        label={t('ui.table.selectPage')}
        checked={all}
        partly={!all && picked.length > 0}
        disabled={possible.length === 0}
        onChange={() => selection.setMany(possible, !all)}
      />
    </th>
  );
}

function HeaderCell<Row>({
  column,
  sort,
  onSort,
}: { column: Column<Row> } & Pick<TableHeadProps<Row>, 'sort' | 'onSort'>): ReactNode {
  const direction = ariaSort(column.sort, sort);
  const by = column.sort;
  return (
    <th scope="col" className={classesOf(column)} aria-sort={direction}>
      {by === undefined ? (
        column.header
      ) : (
        <button type="button" className="table__sort" onClick={() => onSort(nextSort(by, sort))}>
          {column.header}
          {direction === 'ascending' && <IconArrowUp size={14} />}
          {direction === 'descending' && <IconArrowDown size={14} />}
        </button>
      )}
    </th>
  );
}

/** The header row: sorting, and in delete mode a checkbox for the whole page. */
export function TableHead<Row>({ columns, rows, sort, onSort, selection }: TableHeadProps<Row>): ReactNode {
  return (
    <thead>
      <tr>
        {selection !== undefined && <PickPage rows={rows} selection={selection} />}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

import type { ReactNode } from 'react';
import { useNarrow } from '../useNarrow.ts';
import { classesOf, type Column, contentOf } from './column.ts';
import { phoneRow } from './phone.ts';
import { PhoneCell } from './PhoneCell.tsx';
import './table.css';
import './short-table.css';

export interface ShortTableProps<Row> {
  /** The description for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Of what is around it. */
  readonly className: string;
}

function Head<Row>({ columns }: Pick<ShortTableProps<Row>, 'columns'>): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.id} scope="col" className={classesOf(column)}>
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** All rows of a list that has few: a table, and on a phone two lines for each (SAY-09). A link or button in the title opens the row. */
export function ShortTable<Row>({ caption, columns, rows, rowId, className }: ShortTableProps<Row>): ReactNode {
  const phone = useNarrow() ? phoneRow(columns, {}) : undefined;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className={className} tabIndex={0} role="region" aria-label={caption}>
      <table className={phone === undefined ? undefined : 'table table--phone short-table'}>
        <caption className="unseen">{caption}</caption>
        {phone === undefined && <Head columns={columns} />}
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowId(row)} data-row={rowId(row)}>
              {phone === undefined ? (
                columns.map((column) => (
                  <td key={column.id} className={classesOf(column)}>
                    {contentOf(column, row, index + 1)}
                  </td>
                ))
              ) : (
                <PhoneCell row={row} number={index + 1} phone={phone} leads={undefined} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

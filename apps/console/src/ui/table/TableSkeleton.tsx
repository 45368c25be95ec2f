import type { ReactNode } from 'react';
import { classesOf, type Column } from './column.ts';

const barWidths = ['62%', '78%', '54%', '70%', '84%'];

/** Rows in the shape of the table, while the first response is on its way. */
export function TableSkeleton<RowData>(props: {
  readonly columns: readonly Column<RowData>[];
  readonly rows: number;
  readonly picking: boolean;
}): ReactNode {
  return (
    <tbody aria-hidden="true">
      {Array.from({ length: props.rows }, (_, row) => (
        <tr key={row}>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- grey bars, hidden from assistive technology */}
          {props.picking && <td className="table__pick" />}
          {props.columns.map((column, index) => (
            // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- as above
            <td key={column.id} className={classesOf(column)}>
              <span className="bar" style={{ width: barWidths[(row + index) % barWidths.length] }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

import type { ReactNode } from 'react';
import type { ListPreferences } from '../preferences.ts';
import type { Column } from './column.ts';
import { cssWidth, growing, PICK_WIDTH } from './widths.ts';

/** The columns keep their widths, whatever their rows hold (P18): one of them takes the space that is left over. */
export function Widths<Row>({
  columns,
  widths,
  picking,
}: {
  columns: readonly Column<Row>[];
  widths: ListPreferences['widths'];
  picking: boolean;
}): ReactNode {
  const grows = growing(columns, widths);
  return (
    <colgroup>
      {picking && <col style={{ width: PICK_WIDTH }} />}
      {columns.map((column) => (
        <col
          key={column.id}
          data-column={column.id}
          style={{ width: column.id === grows?.id ? undefined : cssWidth(column, widths) }}
        />
      ))}
    </colgroup>
  );
}

export function PhoneWidths(): ReactNode {
  return (
    <colgroup>
      <col style={{ width: PICK_WIDTH }} />
      <col />
    </colgroup>
  );
}

import { type PointerEvent, type ReactNode, useRef } from 'react';
import { listPreferences, storeForList } from '../preferences.ts';
import type { Column } from './column.ts';
import { resized, validWidth } from './widths.ts';

interface ResizerProps<Row> {
  /** The key of the list in the user's preferences. */
  readonly list: string;
  readonly columns: readonly Column<Row>[];
  readonly column: Column<Row>;
}

/** Widths on the screen in px, by the id of the column. */
function shownWidths(table: HTMLTableElement): Readonly<Record<string, number>> {
  const headers = [...table.querySelectorAll<HTMLElement>('th[data-column]')];
  return Object.fromEntries(headers.map((header) => [header.dataset['column'], header.getBoundingClientRect().width]));
}

/** Store the width of a column; null = its own again. @param shown widths on the screen, if they are known */
export function storeWidth<Row>(
  { list, columns, column: { id } }: ResizerProps<Row>,
  width: number | null,
  shown: Readonly<Record<string, number>> = {},
): void {
  const { widths } = listPreferences(list);
  if (width === null) {
    const { [id]: _gone, ...others } = widths ?? {};
    storeForList(list, { widths: others });
  } else storeForList(list, { widths: resized(columns, widths, { id, width }, shown) });
}

/** The right edge of a header: dragging it changes the width of the column, a double click takes it back. The keyboard has the list of columns. */
export function Resizer<Row>(props: ResizerProps<Row>): ReactNode {
  const drag = useRef<{ readonly x: number; readonly width: number; readonly shown: Readonly<Record<string, number>> }>(
    undefined,
  );
  const { id } = props.column;
  const start = (event: PointerEvent<HTMLElement>) => {
    const header = event.currentTarget.closest('th');
    const table = event.currentTarget.closest('table');
    if (header === null || table === null || event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: header.getBoundingClientRect().width, shown: shownWidths(table) };
  };
  // While the pointer moves only the column itself is changed, without rendering the rows.
  const move = (event: PointerEvent<HTMLElement>) => {
    const from = drag.current;
    const table = event.currentTarget.closest('table');
    if (from === undefined || table === null) return;
    const { widths } = listPreferences(props.list);
    const width = validWidth(from.width + event.clientX - from.x);
    const next = resized(props.columns, widths, { id, width }, from.shown);
    for (const column of table.querySelectorAll<HTMLElement>('col[data-column]')) {
      const chosen = next[column.dataset['column'] ?? ''];
      if (chosen !== undefined) column.style.width = `${chosen}px`;
    }
    const others = Object.entries(from.shown).reduce((sum, [name, shown]) => sum + (name === id ? 0 : (next[name] ?? shown)), 0);
    if (width > from.width) table.style.minWidth = `${others + width}px`;
  };
  const end = (event: PointerEvent<HTMLElement>) => {
    const from = drag.current;
    drag.current = undefined;
    if (from === undefined || event.clientX === from.x) return;
    storeWidth(props, from.width + event.clientX - from.x, from.shown);
  };
  return (
    <span
      className="table__resizer"
      aria-hidden="true"
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onDoubleClick={() => storeWidth(props, null)}
    />
  );
}

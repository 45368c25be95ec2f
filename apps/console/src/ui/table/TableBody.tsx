import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../Check.tsx';
import { Hint } from '../Hint.tsx';
import type { Selection } from '../list/useSelection.ts';
import { useLongPress } from '../useLongPress.ts';
import { PhoneCell } from './PhoneCell.tsx';
import { classesOf, type Column, contentOf } from './column.ts';
import type { PhoneRow } from './phone.ts';
import type { DataTableProps } from './props.ts';
import { RowName } from './row-name.ts';
import { isCut, type WholeText } from './useWholeText.tsx';

interface TableBodyProps<Row> extends Pick<DataTableProps<Row>, 'rowId' | 'view' | 'highlighted' | 'onOpen' | 'linkOf'> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly picking: Selection<Row> | undefined;
  /** Rows have checkboxes. */
  readonly hasBoxes: boolean;
  /** A press on a row picks it. */
  readonly picks: boolean;
  /** Rows of two lines; absent: a cell for each column. */
  readonly phone: PhoneRow<Row> | undefined;
  readonly whole: WholeText;
}

const interactive = 'a, button, input, select, label';

/** True for a click or key that a control inside the row takes for itself. */
function isForControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest(interactive) !== null;
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

interface RowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly current: boolean;
  readonly body: TableBodyProps<Row>;
  readonly onPress: (row: Row, event: MouseEvent | KeyboardEvent) => void;
}

function PickCell<Row>({ row, picking }: { row: Row; picking: Selection<Row> }): ReactNode {
  const { t } = useTranslation();
  const reason = picking.reason(row);
  return (
    <td className="table__pick">
      <Hint text={reason}>
        {(describedBy) => (
          <Check
            bare
            label={t('ui.table.selectNamed', { name: picking.nameOf(row) })}
            checked={picking.selected.has(picking.rowId(row))}
            blocked={reason !== undefined}
            describedBy={describedBy}
            onChange={() => picking.toggle(row)}
          />
        )}
      </Hint>
    </td>
  );
}

/** A truncated cell shows its full text on hover; one that fits has no tooltip. */
function showWhole({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  cell.title = isCut(cell) ? cell.innerText : '';
}

function CellContent<Row>({ column, content }: { column: Column<Row>; content: ReactNode }): ReactNode {
  if (column.wrap === true) return <div className="table__flow">{content}</div>;
  return (
    <div className="table__clip" onPointerEnter={showWhole}>
      {content}
    </div>
  );
}

function Row<RowData>({ row, index, current, body, onPress }: RowProps<RowData>): ReactNode {
  const { rowId, view, highlighted, onOpen, linkOf, columns, picking, hasBoxes, picks, phone } = body;
  const id = rowId(row);
  const number = (view.page - 1) * view.size + index + 1;
  return (
    <tr
      tabIndex={current ? 0 : -1}
      data-row={id}
      data-highlighted={highlighted?.has(id) === true || undefined}
      data-picked={picking?.selected.has(id) === true || undefined}
      data-leads={picks || onOpen !== undefined || undefined}
      onClick={(event) => {
        if (!isForControl(event.target)) onPress(row, event);
      }}
    >
      {hasBoxes && picking !== undefined && <PickCell row={row} picking={picking} />}
      <RowName value={picking?.nameOf(row)}>
        {phone === undefined ? (
          columns.map((column) => (
            <td key={column.id} className={classesOf(column)}>
              <CellContent column={column} content={contentOf(column, row, number)} />
            </td>
          ))
        ) : (
          <PhoneCell
            row={row}
            number={number}
            phone={phone}
            leads={picks ? undefined : (linkOf?.(row) ?? (onOpen && (() => onOpen(row))))}
          />
        )}
      </RowName>
    </tr>
  );
}

/** Rows as one stop of the Tab key: arrows walk them and show what a cell hides, Space picks, Enter opens. */
export function TableBody<RowData>(props: TableBodyProps<RowData>): ReactNode {
  const { rows, rowId, picking, picks, onOpen, whole, phone } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const lastPicked = useRef<string>(undefined);
  const [current, setCurrent] = useState<string>();
  const found = rows.findIndex((row) => rowId(row) === current);
  const at = Math.max(0, found);

  const pick = (row: RowData, range: boolean) => {
    const from = rows.findIndex((other) => rowId(other) === lastPicked.current);
    const to = rows.indexOf(row);
    lastPicked.current = rowId(row);
    if (range && from >= 0) picking?.setMany(rows.slice(Math.min(from, to), Math.max(from, to) + 1), true);
    else picking?.toggle(row);
  };
  const press = (row: RowData, event: MouseEvent | KeyboardEvent) => {
    setCurrent(rowId(row));
    if (picks) pick(row, event.shiftKey);
    else if (getSelection()?.isCollapsed !== false) onOpen?.(row);
  };
  const longPress = useLongPress(
    (target) => (picking === undefined ? null : target.closest<HTMLElement>('tr[data-row]')),
    ({ dataset }) => {
      const pressed = rows.find((row) => rowId(row) === dataset['row']);
      if (pressed !== undefined) pick(pressed, false);
    },
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLTableRowElement) || whole.onKey(event)) return;
    const row = rows[at];
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = rows[step(at, rows.length - 1)];
      if (next === undefined) return;
      setCurrent(rowId(next));
      body.current?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(rowId(next))}"]`)?.focus();
    } else if (row !== undefined && event.key === ' ' && picking !== undefined) {
      event.preventDefault();
      pick(row, event.shiftKey);
    } else if (row !== undefined && event.key === 'Enter' && !picks) {
      onOpen?.(row);
    }
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys bubble here from the focused row
    <tbody
      ref={body}
      {...(phone === undefined ? whole.handlers : longPress)}
      onKeyDown={onKeyDown}
      // However the focus came to a row, its keys are for this row.
      onFocus={(event) => setCurrent(event.target.closest('tr')?.dataset['row'])}
      data-picking={picks || undefined}
    >
      {rows.map((row, index) => (
        <Row key={rowId(row)} row={row} index={index} current={index === at} body={props} onPress={press} />
      ))}
    </tbody>
  );
}

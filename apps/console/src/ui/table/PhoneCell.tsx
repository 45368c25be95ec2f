import { Link } from '@tanstack/react-router';
import { NOT_REPORTED } from '../time/format.ts';
import { type ReactNode, useId } from 'react';
import { type Column, contentOf } from './column.ts';
import type { PhoneRow } from './phone.ts';
import type { RowLink } from './props.ts';
import './phone.css';

export interface PhoneCellProps<Row> {
  readonly row: Row;
  readonly number: number;
  readonly phone: PhoneRow<Row>;
  /** What a press leads to: a page, or something else; absent while rows are selected. */
  readonly leads: RowLink | (() => void) | undefined;
}

/** The whole row is one target; the parts of a cell that lead elsewhere are inside it on larger screens only. */
function Opener({ leads, labelledBy }: { leads: NonNullable<PhoneCellProps<never>['leads']>; labelledBy: string }): ReactNode {
  // The row itself is the stop of the Tab key, and Enter opens it.
  const props = { className: 'phone-row__open', tabIndex: -1, 'aria-labelledby': labelledBy };
  return typeof leads === 'function' ? (
    <button type="button" {...props} onClick={leads} />
  ) : (
    <Link {...leads} {...props} draggable={false} />
  );
}

/** A row of a list as two lines: its name and at the end one value, then its state and further values (SAY-09). */
export function PhoneCell<Row>({ row, number, phone, leads }: PhoneCellProps<Row>): ReactNode {
  const { title, aside, state, line } = phone;
  const id = useId();
  const cellOf = (column: Column<Row>) =>
    column.phoneCell === undefined ? contentOf(column, row, number) : column.phoneCell(row);
  return (
    <td className="phone-row">
      <div className="phone-row__line">
        <span id={id} className="phone-row__title">
          {cellOf(title)}
        </span>
        {aside !== undefined && <span className="phone-row__aside">{cellOf(aside)}</span>}
      </div>
      <div className="phone-row__line phone-row__more">
        {state !== undefined && <span className="phone-row__state">{cellOf(state)}</span>}
        {line
          .map((column) => ({ column, cell: cellOf(column) }))
          .filter(({ cell }) => cell !== NOT_REPORTED)
          .map(({ column, cell }) => (
            <span key={column.id}>
              {column.numeric === true && column.phoneCell === undefined && `${column.header} `}
              {cell}
            </span>
          ))}
      </div>
      {leads !== undefined && <Opener leads={leads} labelledBy={id} />}
    </td>
  );
}

import { columnWidths, type ListPreferences } from '../preferences.ts';
import type { Column } from './column.ts';

type Sized = Pick<Column<never>, 'id' | 'header' | 'width' | 'grow' | 'numeric' | 'pinned' | 'sort'>;
type Widths = ListPreferences['widths'];

const USUAL = 150;
/** The column of checkboxes. */
export const PICK_WIDTH = 44;
const PADDING = 28;
const SORT_MARK = 18;

/** How wide a header is at most, in px: letters of East Asian scripts are as wide as they are high. */
function headerWidth({ header, sort }: Sized): number {
  let text = 0;
  for (const letter of header) text += letter > '\u2e7f' ? 13 : 7.5;
  return Math.ceil(text) + PADDING + (sort === undefined ? 0 : SORT_MARK);
}

/** The nearest width that a column may have, in px. */
export function validWidth(width: number): number {
  return Math.round(Math.min(columnWidths.most, Math.max(columnWidths.least, width)));
}

/** The width of a column in px: the person's choice, else the column's own, and never less than its header. It does not follow from its rows. */
export function widthOf(column: Sized, chosen: Widths): number {
  return chosen?.[column.id] ?? validWidth(Math.max(column.width ?? USUAL, headerWidth(column)));
}

/** The column that takes the space that is left over: the one declared so, else the last with text, unless a person chose their widths. */
export function growing<Shown extends Sized>(columns: readonly Shown[], chosen: Widths): Shown | undefined {
  const free = columns.filter(({ id }) => chosen?.[id] === undefined);
  return free.find(({ grow }) => grow === true) ?? free.findLast(({ numeric }) => numeric !== true) ?? columns.at(-1);
}

/** A pinned column leaves space for the others on a phone; a time, a serial number and an ICCID fit it there. */
export function cssWidth(column: Sized, chosen: Widths): string {
  const width = widthOf(column, chosen);
  return column.pinned === true ? `min(${width}px, 55vw)` : `${width}px`;
}

/**
 * The widths after one of them was changed. A growing column before it keeps the width that it has on the screen: the changed
 * one would move otherwise.
 * @param shown widths on the screen in px, by id
 */
export function resized(
  columns: readonly Sized[],
  chosen: Widths,
  { id, width }: { readonly id: string; readonly width: number },
  shown: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const grows = growing(columns, chosen);
  const isBefore = columns.findIndex((column) => column === grows) <= columns.findIndex((column) => column.id === id);
  const kept =
    grows !== undefined && isBefore && shown[grows.id] !== undefined ? { [grows.id]: validWidth(shown[grows.id]!) } : {};
  return { ...chosen, ...kept, [id]: validWidth(width) };
}

import type { ListPreferences } from '../preferences.ts';
import { type Column, inOrder, isShown, type PhonePart } from './column.ts';

/** The columns of a row on a phone. */
export interface PhoneRow<Row> {
  readonly title: Column<Row>;
  readonly aside: Column<Row> | undefined;
  readonly state: Column<Row> | undefined;
  readonly line: readonly Column<Row>[];
}

/** A list that declares nothing shows this many columns in its second line. */
const USUAL = 3;

/**
 * What a row on a phone shows of a list (SAY-09): the declared columns, without those that the person hid, and with each optional one
 * that the person chose. A list that declares nothing has its pinned column as the title and the next ones below it.
 */
export function phoneRow<Row>(columns: readonly Column<Row>[], { columns: chosen, order }: ListPreferences): PhoneRow<Row> {
  const all = inOrder(columns, order);
  const declared = (part: PhonePart) => all.find(({ phone }) => phone === part);
  const shown = (column: Column<Row>) => chosen?.[column.id] !== false;
  const title =
    declared('title') ?? all.find(({ pinned }) => pinned === true) ?? all.find(({ numeric }) => numeric !== true) ?? all[0]!;
  const isDeclared = all.some(({ phone }) => phone !== undefined);
  const added = all.filter(({ id, optional, phone }) => optional === true && phone === undefined && chosen?.[id] === true);
  const line = isDeclared
    ? [...all.filter((column) => column.phone === 'line' && shown(column)), ...added]
    : all
        .filter((column) => column !== title && column.id !== 'number' && isShown(column, chosen))
        .slice(0, USUAL + added.length);
  return { title, aside: declared('aside'), state: declared('state'), line };
}

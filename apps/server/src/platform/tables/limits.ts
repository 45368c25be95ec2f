import { tooLarge, type FileFault } from './file-fault.ts';

/** A file with more rows than this, empty ones included, is rejected before it is processed. */
export const MAX_ROWS = 100_000;
/** Cells of a row. */
export const MAX_COLUMNS = 200;
/** Characters of a row. */
export const MAX_ROW_LENGTH = 65_536;

export function tooManyRows(): FileFault {
  return tooLarge(`The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows.`);
}

export function tooManyColumns(): FileFault {
  return tooLarge(`A row of the file has more than ${MAX_COLUMNS} columns.`);
}

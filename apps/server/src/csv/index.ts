export { identifierCell, safeCell } from './cell.ts';
export { MAX_CSV_ROWS, readCsv, type CsvRow, type CsvShape } from './read.ts';
export { timeIn } from './time.ts';
export { announceCsv, writeCsv, type CsvColumn } from './write.ts';

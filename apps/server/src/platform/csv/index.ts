export { identifierCell, safeCell } from './cell.ts';
export { readCsv, type CsvRow, type CsvShape } from './read.ts';
export { reportTimeIn, timeIn } from './time.ts';
export { answerCsv, writeCsv, type CsvColumn } from './write.ts';

export { identifierCell, safeCell } from './cell.ts';
export { readCsv, type CsvRow, type CsvShape } from './read.ts';
export { reportTimeIn, timeIn } from './time.ts';
export { answerCsv, numberColumn, writeCsv, type Bilingual, type CsvColumn } from './write.ts';

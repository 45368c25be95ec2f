export { identifierCell, safeCell } from './cell.ts';
export { changesOf, setFields } from './changes.ts';
export { readCsv, type CsvRow, type CsvShape, type WrittenRow } from './read.ts';
export { mendableReport } from './report.ts';
export { tagsCell, tagsOf } from './tags.ts';
export { reportTimeIn, timeIn } from './time.ts';
export {
  answerBatches,
  answerCsv,
  chosenColumns,
  chosenIds,
  numberColumn,
  writeCsv,
  type Bilingual,
  type CsvColumn,
  type ListColumns,
} from './write.ts';

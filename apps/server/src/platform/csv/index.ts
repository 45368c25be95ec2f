export { identifierCell, importedText, protectedText, safeCell } from '@highline/contract/csv-cell';
export { changesOf, setFields } from './changes.ts';
export type { CopiedCell, CopiedColumn } from './copied-lines.ts';
export { field, inLanguage, type Bilingual } from './field.ts';
export { tagsCell, tagsOf } from './tags.ts';
export { reportTimeIn, timeIn } from './time.ts';
export {
  respondWithCopy,
  sendCsv,
  chosenColumns,
  chosenIds,
  numberColumn,
  writeCsv,
  type CsvColumn,
  type ListColumns,
} from './write.ts';

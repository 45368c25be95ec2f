export { createDateColumns, type DateReader } from './dates.ts';
export { isUnreadable } from './encoding.ts';
export { findColumns, type TableShape } from './columns.ts';
export {
  ignoredTitles,
  openTable,
  openWholeTable,
  type FileSummary,
  type ReadOptions,
  type Table,
  type TableRow,
  type WrittenRow,
} from './read.ts';
export { mendableReport, mendableReportOf, type MendableReport, type RejectedRow } from './report.ts';
export { findSeparator, RecordReader } from './delimited.ts';
export { FileFault } from './file-fault.ts';

export { createDateColumns, type DateReader } from './dates.ts';
export type { TableShape } from './columns.ts';
export { openTable, type FileSummary, type ReadOptions, type Table, type TableRow, type WrittenRow } from './read.ts';
export { mendableReport, mendableReportOf, type MendableReport, type RejectedRow } from './report.ts';
export { findSeparator, RecordReader } from './delimited.ts';
export { FileFault } from './file-fault.ts';

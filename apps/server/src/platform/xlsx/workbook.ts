import { Worker } from 'node:worker_threads';

/** Content of a cell. Text stays text: a workbook types each cell, so nothing in it is evaluated. */
export type SheetCell = string | number | boolean;

/** One sheet with a header row. */
export interface Sheet {
  /** At most 31 characters, none of `: \ / ? * [ ]`. */
  readonly name: string;
  readonly titles: readonly string[];
  /** Widths of the columns, in characters. */
  readonly widths: readonly number[];
  readonly rows: readonly (readonly SheetCell[])[];
}

/** Most rows: a workbook of them takes some seconds and some hundred megabytes. */
export const MAX_SHEET_ROWS = 100_000;
const MEMORY_MB = 1_024;

/** The sheet as an Excel workbook. @throws Error when its thread ends without one */
export function writeWorkbook(sheet: Sheet): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('workbook.worker.ts', import.meta.url), {
      workerData: sheet,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.once('message', (bytes: Uint8Array) => resolve(bytes));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The workbook thread ended with ${code}.`)));
  });
}

/** A text that XML can contain. */
export function sheetText(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ');
}

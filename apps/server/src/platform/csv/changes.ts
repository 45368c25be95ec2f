import type { deviceAdding } from '@highline/contract';

/** Rows whose changes are listed. */
const MOST_ROWS = 100;

type ChangedRow = deviceAdding.ImportChanges['rows'][number];
type FieldChange = ChangedRow['changes'][number];

/** What the good rows of a file change: how many set each field, and the first rows with their values (BLK-05). */
export function changesOf(rows: readonly ChangedRow[]): Omit<deviceAdding.ImportChanges, 'newTags'> {
  const fields = new Map<FieldChange['field'], number>();
  for (const { changes } of rows) for (const { field } of changes) fields.set(field, (fields.get(field) ?? 0) + 1);
  return { fields: [...fields].map(([field, count]) => ({ field, rows: count })), rows: rows.slice(0, MOST_ROWS) };
}

/** Fields of something that did not exist before; empty ones are left out. */
export function setFields(values: Partial<Record<FieldChange['field'], string | null>>): FieldChange[] {
  return Object.entries(values).flatMap(([field, after]) =>
    after === null || after === '' ? [] : [{ field: field as FieldChange['field'], before: '', after }],
  );
}

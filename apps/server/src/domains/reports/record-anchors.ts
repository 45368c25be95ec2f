import { z } from 'zod';
import { invalidField, isInstantText } from '../../kernel/index.ts';
import type { RecordRow } from './record.dto.ts';

/** A record with the fields that distinguish it from others of the same time. */
export interface AnchoredRecord extends RecordRow {
  /** As the database writes it, to the microsecond. */
  readonly moment: string;
  readonly router_id: string;
  readonly mark: string;
}

/** The start of a page: after the record with this time, router, property and mark; the last number is its offset. */
const anchor = z.tuple([
  z.string(),
  z.string().refine(isInstantText),
  z.guid(),
  z.int().min(0).max(32_767),
  z.string().max(400),
  z.int().min(0),
]);

export type Anchor = z.infer<typeof anchor>;

export function formatAnchor(list: string, row: AnchoredRecord, position: number): string {
  const at: Anchor = [list, row.moment, row.router_id, row.property, row.mark, position];
  return Buffer.from(JSON.stringify(at)).toString('base64url');
}

export function parseAnchor(list: string, cursor: string): Anchor {
  const invalidCursor = () => invalidField('cursor', 'does not belong to this list');
  try {
    const read = anchor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (read[0] === list && !read[4].includes('\0') && read[4].isWellFormed()) return read;
  } catch {
    throw invalidCursor();
  }
  throw invalidCursor();
}

/** Epoch milliseconds; finer digits are cut off. */
export function timeOf(moment: string): number {
  return Date.parse(moment.replace(' ', 'T').replace('+00', 'Z'));
}

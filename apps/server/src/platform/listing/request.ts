import type { PageQuery } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';

/** Page size when the caller gave a position but no size. */
const DEFAULT_LIMIT = 50;

/** Page size of a call; undefined = the whole list, streamed (DECISIONS, Envelopes). */
export function limitOf(query: PageQuery & { readonly around?: string | undefined }): number | undefined {
  if (query.limit !== undefined) return query.limit;
  const position = query.offset ?? query.cursor ?? query.around;
  return position === undefined ? undefined : DEFAULT_LIMIT;
}

/** `-name` → name, descending. @throws DomainError `request.invalid` when the list has no such column */
export function sortOf<Column extends string>(
  sort: string | undefined,
  columns: readonly Column[],
  fallback: Column,
): { readonly column: Column; readonly descending: boolean } {
  if (sort === undefined) return { column: fallback, descending: false };
  const descending = sort.startsWith('-');
  const column = columns.find((name) => name === (descending ? sort.slice(1) : sort));
  if (column === undefined)
    throw new DomainError('request.invalid', { message: 'sort: is not a column of this list', field: 'sort' });
  return { column, descending };
}

/** The field to search. @throws DomainError `request.invalid` when the list has no such field */
export function fieldOf<Field extends string>(field: string | undefined, fields: readonly Field[], fallback: Field): Field {
  const known = field === undefined ? fallback : fields.find((name) => name === field);
  if (known === undefined)
    throw new DomainError('request.invalid', { message: 'field: cannot be searched here', field: 'field' });
  return known;
}

/** Reject a cursor on lists without cursors. @throws DomainError `request.invalid` */
export function rejectCursor(cursor: string | undefined): void {
  if (cursor !== undefined)
    throw new DomainError('request.invalid', { message: 'cursor: does not belong to this list', field: 'cursor' });
}

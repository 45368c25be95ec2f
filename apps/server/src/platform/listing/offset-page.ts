import { sql } from 'kysely';
import { isId } from '../../kernel/ids.ts';
import type { Fragment, Reader } from './fragment.ts';

/** A list short enough to be sorted as a whole: groups, organizations. */
export interface ShortList {
  /** A complete select without order and limit. */
  readonly select: Fragment;
  /** The matching count: `select count(*)::int as total …`. */
  readonly count: Fragment;
  readonly orderBy: Fragment;
}

/** One page of a short list with its exact total. */
export async function readShortPage<Row>(
  reader: Reader,
  list: ShortList,
  request: { readonly limit: number; readonly offset: number },
): Promise<{ rows: Row[]; total: number }> {
  const [rows, [count]] = await Promise.all([
    reader.rows<Row>(sql`${list.select} order by ${list.orderBy} limit ${request.limit} offset ${request.offset}`),
    reader.rows<{ total: number }>(list.count),
  ]);
  return { rows, total: count!.total };
}

/** Offset of the page that contains the row with this id (SHR-04); 0 when the list does not contain it. */
export async function offsetAround(
  reader: Reader,
  list: Pick<ShortList, 'select' | 'orderBy'>,
  id: string,
  limit: number,
): Promise<number> {
  if (!isId(id)) return 0;
  const [row] = await reader.rows<{ place: number }>(sql`select place from (
      select id, (row_number() over ())::int as place from (${list.select} order by ${list.orderBy}) listed
    ) placed where id = ${id}::uuid`);
  return row === undefined ? 0 : Math.floor((row.place - 1) / limit) * limit;
}

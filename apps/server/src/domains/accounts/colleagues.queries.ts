import { colleagues } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import {
  allOf,
  contains,
  fieldOf,
  readShortPage,
  rejectCursor,
  searchable,
  sortOf,
  type Fragment,
  type Reader,
  type RowStreams,
  type ShortList,
} from '../../platform/listing/index.ts';
import type { MainScope } from '../../kernel/scope.ts';
import { toPersonDto, type PersonRow } from './account.dto.ts';
import { isColleague } from './colleagues.store.ts';
import { usersFrom, personColumns } from './users.queries.ts';

export type ColleaguesQuery = z.output<typeof colleagues.listColleagues.query>;

type Sort = (typeof colleagues.colleagueSorts)[number];
type ColleagueRow = PersonRow & { readonly signed_in_at: Date | null };

const columns: Record<Sort, Fragment> = {
  name: sql`a.name collate "C"`,
  email: sql`a.email`,
  signedIn: sql`coalesce(a.signed_in_at, '-infinity')`,
};

const toColleagueDto = ({ signed_in_at: at, ...row }: ColleagueRow): colleagues.Colleague => ({
  ...toPersonDto(row),
  signedIn: at === null ? null : Math.floor(at.getTime() / 1000),
});

/** One page of a main account's own users. */
export async function pageColleagues(
  reader: Reader,
  scope: MainScope,
  query: ColleaguesQuery,
  limit: number,
): Promise<{ result: { list: colleagues.Colleague[] }; total: number }> {
  rejectCursor(query.cursor);
  const page = { limit, offset: query.offset ?? 0 };
  const { rows, total } = await readShortPage<ColleagueRow>(reader, colleagueList(scope, query), page);
  return { result: { list: rows.map(toColleagueDto) }, total };
}

/** As `pageColleagues`, but all of them, streamed. */
export async function* streamColleagues(
  streams: RowStreams,
  scope: MainScope,
  query: ColleaguesQuery,
): AsyncGenerator<colleagues.Colleague> {
  const { select, orderBy } = colleagueList(scope, query);
  for await (const row of streams.open<ColleagueRow>(sql`${select} order by ${orderBy}`)) yield toColleagueDto(row);
}

function colleagueList({ mainAccountId }: MainScope, query: ColleaguesQuery): ShortList {
  const where = allOf([sql`a.main_account_id = ${mainAccountId}::uuid`, isColleague, ...searchOf(query)]);
  const { column, descending } = sortOf(query.sort, colleagues.colleagueSorts, 'name');
  return {
    select: sql`select ${personColumns}, a.signed_in_at from ${usersFrom} where ${where}`,
    count: sql`select count(*)::int as total from accounts a where ${where}`,
    orderBy: sql`${columns[column]} ${descending ? sql`desc` : sql`asc`}, a.email`,
  };
}

function searchOf({ search, field, ignoreCase }: ColleaguesQuery): Fragment[] {
  if (search === undefined || search === '') return [];
  const column = fieldOf(field, colleagues.colleagueFields, 'name') === 'name' ? sql`a.name` : sql`a.email`;
  return [contains(column, searchable(search, 'search'), { ignoreCase })];
}

import { DEFAULT_GROUP_KEY, type groups, type PageQuery } from '@highline/contract';
import { sql } from 'kysely';
import {
  allOf,
  containsPattern,
  fieldOf,
  readShortPage,
  refuseCursor,
  searchable,
  sortOf,
  type Fragment,
  type Reader,
  type RowStreams,
  type ShortList,
} from '../../listing/index.ts';
import type { Scope } from '../../scope.ts';

interface GroupRow {
  readonly organization_id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: Date;
  readonly device_count: number;
}

const sorts = ['name', 'description', 'created', 'devices'] as const;
const columns: Record<(typeof sorts)[number], Fragment> = {
  name: sql`g.name collate "C"`,
  description: sql`g.description collate "C"`,
  created: sql`g.created_at`,
  devices: sql`device_count`,
};

/** One page of the groups that a scope covers; the default group comes first unless a sort is asked for. */
export async function pageGroups(
  reader: Reader,
  scope: Scope,
  query: PageQuery,
  limit: number,
): Promise<{ result: groups.Group[]; total: number }> {
  refuseCursor(query.cursor);
  const { rows, total } = await readShortPage<GroupRow>(reader, groupList(scope, query), { limit, offset: query.offset ?? 0 });
  return { result: rows.map(groupWire), total };
}

/** All of them, streamed. */
export function streamGroups(streams: RowStreams, scope: Scope, query: PageQuery): AsyncIterable<groups.Group> {
  const { select, orderBy } = groupList(scope, query);
  return presented(streams.open<GroupRow>(sql`${select} order by ${orderBy}`));
}

function groupList(scope: Scope, query: PageQuery): ShortList {
  const where = allOf([scopeOf(scope), ...searchOf(query)]);
  const { column, descending } = sortOf(query.sort, sorts, 'name');
  const direction = descending ? sql`desc` : sql`asc`;
  const first = query.sort === undefined ? sql`(g.key = ${DEFAULT_GROUP_KEY}) desc, ` : sql``;
  return {
    select: sql`select g.organization_id, g.key, g.name, g.description, g.created_at, (
        select count(*) from devices d
        where d.organization_id = g.organization_id and d.group_key = g.key and d.archived_at is null
      )::int as device_count
      from groups g where ${where}`,
    count: sql`select count(*)::int as total from groups g where ${where}`,
    orderBy: sql`${first}${columns[column]} ${direction}, g.organization_id, g.key`,
  };
}

function scopeOf(scope: Scope): Fragment {
  if (scope.kind === 'organization') return sql`g.organization_id = ${scope.organizationId}::uuid`;
  return sql`g.organization_id in (
    select o.id from organizations o where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null)`;
}

function searchOf(query: PageQuery): Fragment[] {
  if (query.search === undefined || query.search === '') return [];
  const column = fieldOf(query.field, ['group', 'description'], 'group') === 'group' ? sql`g.name` : sql`g.description`;
  return [sql`${column} like ${containsPattern(searchable(query.search, 'search'))}`];
}

async function* presented(rows: AsyncIterable<GroupRow>): AsyncGenerator<groups.Group> {
  for await (const row of rows) yield groupWire(row);
}

function groupWire(row: GroupRow): groups.Group {
  return {
    id: row.key,
    group: row.key,
    groupName: row.name,
    group_name: row.name,
    description: row.description,
    created: row.created_at.toISOString(),
    deviceCount: row.device_count,
    org: row.organization_id,
  };
}

// Reads tables of other domains: bindings, groups.
import { configs as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId } from '../../kernel/ids.ts';
import {
  allOf,
  contains,
  fieldOf,
  offsetAround,
  readShortPage,
  rejectCursor,
  searchable,
  sortOf,
  type Fragment,
  type Reader,
  type RowStreams,
  type ShortList,
} from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { boundColumn } from '../firmware/index.ts';
import { toConfigDto, type ConfigRow } from './config.dto.ts';

export type ConfigQuery = z.output<typeof calls.configQuery>;

const columns: Record<(typeof calls.configSorts)[number], Fragment> = {
  name: sql`c.name`,
  note: sql`c.note`,
  size: sql`v.size`,
  updated: sql`c.updated_at`,
  created: sql`c.created_at`,
};

const select = sql`select c.id, c.name, c.note, c.current_version, c.version, v.size, v.sha256, c.created_at, c.updated_at,
    ${boundColumn(sql`b.organization_id = c.organization_id and b.config_id = c.id`)}
  from config_files c
  join config_versions v on v.organization_id = c.organization_id and v.config_id = c.id and v.number = c.current_version`;

/** One page of an organization's config files, the last changed first unless a sort is given (CFG-01). */
export async function pageConfigs(
  reader: Reader,
  scope: OrganizationScope,
  query: ConfigQuery,
  limit: number,
): Promise<z.input<typeof calls.listConfigs.response>> {
  rejectCursor(query.cursor);
  const list = configList(scope, query);
  const offset = query.around === undefined ? (query.offset ?? 0) : await offsetAround(reader, list, query.around, limit);
  const { rows, total } = await readShortPage<ConfigRow>(reader, list, { limit, offset });
  return { result: rows.map(toConfigDto), total, offset };
}

/** As `pageConfigs`, but all files, streamed. */
export async function* streamConfigs(
  streams: RowStreams,
  scope: OrganizationScope,
  query: ConfigQuery,
): AsyncGenerator<calls.Config> {
  const list = configList(scope, query);
  for await (const row of streams.open<ConfigRow>(sql`${list.select} order by ${list.orderBy}`)) yield toConfigDto(row);
}

/** Undefined for a foreign id as for a malformed one: both are answered alike. */
export async function readConfig(reader: Reader, scope: OrganizationScope, id: string): Promise<ConfigRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await reader.rows<ConfigRow>(sql`${select} where ${allOf([ownedBy(scope), sql`c.id = ${id}::uuid`])}`);
  return row;
}

type Detail = z.input<typeof calls.getConfig.response>['result'];

/** The versions of a file, newest first; never their contents. */
export async function readVersions(reader: Reader, scope: OrganizationScope, id: string): Promise<Detail['versions']> {
  const rows = await reader.rows<{ number: number; size: number; sha256: Buffer; created_at: Date; created_by: string }>(
    sql`select v.number, v.size, v.sha256, v.created_at, v.created_by from config_versions v
      where v.organization_id = ${scope.organizationId}::uuid and v.config_id = ${id}::uuid order by v.number desc`,
  );
  return rows.map(({ number, size, sha256, created_at: created, created_by: by }) => ({
    number,
    size,
    sha256: sha256.toString('hex'),
    created: created.toISOString(),
    by,
  }));
}

/** Groups with an active binding of a file, each with its version. */
export async function readBoundBy(reader: Reader, scope: OrganizationScope, id: string): Promise<Detail['boundBy']> {
  return reader.rows<Detail['boundBy'][number]>(
    sql`select b.group_key as "group", g.name as "groupName", b.config_number as version
      from bindings b join groups g on g.organization_id = b.organization_id and g.key = b.group_key
      where b.organization_id = ${scope.organizationId}::uuid and b.config_id = ${id}::uuid and b.ended_at is null
      order by g.name collate "C", g.key`,
  );
}

function configList(scope: OrganizationScope, query: ConfigQuery): ShortList {
  const where = allOf([ownedBy(scope), ...searchOf(query)]);
  const { column, descending } = sortOf(query.sort ?? '-updated', calls.configSorts, 'updated');
  const direction = descending ? sql`desc` : sql`asc`;
  return {
    select: sql`${select} where ${where}`,
    count: sql`select count(*)::int as total from config_files c where ${where}`,
    orderBy: sql`${columns[column]} ${direction}, c.id ${direction}`,
  };
}

function ownedBy(scope: OrganizationScope): Fragment {
  return sql`c.organization_id = ${scope.organizationId}::uuid`;
}

function searchOf({ search, field, ignoreCase }: ConfigQuery): Fragment[] {
  if (search === undefined || search === '') return [];
  const column = sql.ref(`c.${fieldOf(field, ['name', 'note'], 'name')}`);
  return [contains(column, searchable(search, 'search'), { ignoreCase })];
}

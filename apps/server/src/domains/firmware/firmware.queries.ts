import { firmware as calls } from '@highline/contract';
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
import type { Scope } from '../../kernel/scope.ts';
import { boundColumn } from './bound.ts';
import { toFirmwareDto, type FirmwareRow } from './firmware.dto.ts';

export type FirmwareQuery = z.output<typeof calls.firmwareQuery>;

/** The numbers of a version, padded, so that 2.10 comes after 2.9. */
const versionOrder = sql`array(
  select lpad(piece[1], 20, '0') collate "C" from regexp_matches(f.version, '\\d+|\\D+', 'g') with ordinality as pieces (piece, place)
  order by place)`;

const columns: Record<(typeof calls.firmwareSorts)[number], Fragment> = {
  version: versionOrder,
  profile: sql`f.profile`,
  size: sql`f.size`,
  updated: sql`f.updated_at`,
  created: sql`f.created_at`,
};

/** One page of the catalogue of a scope, newest first unless a sort is given (FWR-01). */
export async function pageFirmware(
  reader: Reader,
  scope: Scope,
  query: FirmwareQuery,
  limit: number,
): Promise<{ result: calls.Firmware[]; total: number }> {
  rejectCursor(query.cursor);
  const page = { limit, offset: query.offset ?? 0 };
  const { rows, total } = await readShortPage<FirmwareRow>(reader, firmwareList(scope, query), page);
  return { result: rows.map(toFirmwareDto), total };
}

/** As `pageFirmware`, but all of it, streamed. */
export async function* streamFirmware(streams: RowStreams, scope: Scope, query: FirmwareQuery): AsyncGenerator<calls.Firmware> {
  const { select, orderBy } = firmwareList(scope, query);
  for await (const row of streams.open<FirmwareRow>(sql`${select} order by ${orderBy}`)) yield toFirmwareDto(row);
}

/** One row as the lists show it, or undefined. */
export async function readFirmware(reader: Reader, scope: Scope, id: string): Promise<FirmwareRow | undefined> {
  const [row] = await reader.rows<FirmwareRow>(sql`${selectOf(scope)} where ${allOf([ownedBy(scope), sql`f.id = ${id}::uuid`])}`);
  return row;
}

function firmwareList(scope: Scope, query: FirmwareQuery): ShortList {
  const where = allOf([ownedBy(scope), ...modelOf(query), ...searchOf(query)]);
  const { column, descending } = sortOf(query.sort ?? '-updated', calls.firmwareSorts, 'updated');
  const direction = descending ? sql`desc` : sql`asc`;
  return {
    select: sql`${selectOf(scope)} where ${where}`,
    count: sql`select count(*)::int as total from firmware f where ${where}`,
    orderBy: sql`${columns[column]} ${direction}, f.id ${direction}`,
  };
}

/** The catalogue belongs to the main account; an organization counts only its own groups. */
function selectOf(scope: Scope): Fragment {
  const counted = scope.kind === 'main' ? sql`` : sql` and b.organization_id = ${scope.organizationId}::uuid`;
  return sql`select f.id, f.version, f.profile, f.note, f.file_name, f.size, f.sha256, f.signed_by, f.created_at, f.updated_at,
      ${boundColumn(sql`b.firmware_id = f.id${counted}`)}
    from firmware f`;
}

function ownedBy(scope: Scope): Fragment {
  return sql`f.main_account_id = ${scope.mainAccountId}::uuid`;
}

function modelOf({ profile }: FirmwareQuery): Fragment[] {
  return profile === undefined || profile === '' ? [] : [sql`f.profile = ${profile}`];
}

function searchOf({ search, field, ignoreCase }: FirmwareQuery): Fragment[] {
  if (search === undefined || search === '') return [];
  const column = sql.ref(`f.${fieldOf(field, ['note', 'version', 'profile'], 'note')}`);
  return [contains(column, searchable(search, 'search'), { ignoreCase })];
}

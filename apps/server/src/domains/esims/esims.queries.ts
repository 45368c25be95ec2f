// Reads tables of other domains: devices.
import { esims } from '@highline/contract';
import { sql } from 'kysely';
import { isId } from '../../kernel/ids.ts';
import {
  allOf,
  contains,
  fieldOf,
  fingerprint,
  readCountedPage,
  searchable,
  sortOf,
  type Fragment,
  type List,
  type Cache,
  type Page,
  type Reader,
  type RowStreams,
  type Segment,
  type SortKey,
} from '../../platform/listing/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { ExampleRouter } from './profile.export.ts';
import { profileColumns, type ProfileRow } from './profile.dto.ts';

type Sort = (typeof esims.profileSorts)[number];
type Field = NonNullable<esims.ProfileQuery['field']>;

const fields: readonly Field[] = ['serial', 'name', 'carrier', 'iccid', 'apn'];
const table = sql`esim_profiles p`;

function key(column: string, kind: SortKey['kind'] = 'text'): SortKey {
  return { column: sql.ref(`p.${column}`), kind };
}

const [serial, id] = [key('serial'), key('id', 'uuid')];

/** The sort keys of each order; each has its index. */
export const orders: Readonly<Record<Sort, readonly SortKey[]>> = {
  serial: [serial, key('priority', 'number'), id],
  name: [key('name'), serial, id],
  carrier: [key('carrier'), serial, id],
  iccid: [key('iccid'), id],
  apn: [key('apn'), serial, id],
  status: [key('status'), serial, id],
  updated: [key('updated_at', 'instant'), id],
};

const statuses: Record<NonNullable<esims.ProfileQuery['status']>, esims.ProfileStatus> = {
  'in-use': 'In Use',
  activated: 'Activated',
  downloading: 'Downloading...',
  assigning: 'Assigning...',
  'fail-to-download': 'Fail to download',
  'out-of-memory': 'Out of memory',
};

/**
 * One page of the profiles of a scope, filtered and sorted, with their exact number (SIM-01).
 * @throws DomainError `request.invalid` for a cursor of another list, or a text no column can hold
 */
export async function pageProfiles(
  reader: Reader,
  totals: Cache<number>,
  scope: Scope,
  query: esims.ProfileQuery,
  limit: number,
): Promise<Page<ProfileRow> & { readonly total: number }> {
  const list = profileList(scope, query);
  const { offset, cursor, around } = query;
  const request = {
    limit,
    ...(offset === undefined ? {} : { offset }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(around !== undefined && isId(around) ? { around: sql`p.id = ${around}::uuid` } : {}),
  };
  const count = totals.get(scope.mainAccountId, list.counted, () => countProfiles(reader, list));
  const [page, total] = await Promise.all([readCountedPage<ProfileRow>(reader, list, request, count), count]);
  return { ...page, total };
}

async function countProfiles(reader: Reader, list: List): Promise<number> {
  const [row] = await reader.rows<{ total: number }>(
    sql`select count(*)::int as total from ${table} where ${allOf([list.scope, ...list.filters])}`,
    list.prepared,
  );
  return row!.total;
}

/** The whole filtered and sorted list, streamed from one snapshot. */
export function streamProfiles(streams: RowStreams, scope: Scope, query: esims.ProfileQuery): AsyncIterable<ProfileRow> {
  const { scope: mine, filters, segments } = profileList(scope, query);
  const { keys, descending } = segments[0]!;
  const direction = descending ? sql`desc` : sql`asc`;
  const orderBy = sql.join(keys.map(({ column }) => sql`${column} ${direction}`));
  return streams.open<ProfileRow>(
    sql`select ${profileColumns} from ${table} where ${allOf([mine, ...filters])} order by ${orderBy}`,
  );
}

/** A profile of the scope, or undefined; also for an invalid id. */
export async function findProfile(reader: Reader, scope: Scope, pk: string): Promise<ProfileRow | undefined> {
  if (!isId(pk)) return undefined;
  const [row] = await reader.rows<ProfileRow>(
    sql`select ${profileColumns} from ${table} where ${profilesOf(scope)} and p.id = ${pk}::uuid`,
  );
  return row;
}

/** The profiles of one device, highest priority first. */
export async function readCards(reader: Reader, scope: Scope, deviceId: string): Promise<ProfileRow[]> {
  return reader.rows<ProfileRow>(
    sql`select ${profileColumns} from ${table} where ${profilesOf(scope)} and p.device_id = ${deviceId}::uuid
      order by p.priority, p.id`,
  );
}

interface ProfileList extends List {
  /** Identifies the counted list: its scope and filters. */
  readonly counted: string;
}

function profileList(scope: Scope, query: esims.ProfileQuery): ProfileList {
  const { column, descending } = sortOf(query.sort, esims.profileSorts, 'serial');
  const filters = filtersOf(query);
  const whose = scope.kind === 'main' ? `main ${scope.mainAccountId}` : scope.organizationId;
  const counted = JSON.stringify([whose, query.search, query.field, query.ignoreCase, query.status]);
  const segment: Segment = { from: table, keys: orders[column], descending };
  return {
    counted,
    fingerprint: fingerprint(['esims', counted, column, descending]),
    table,
    alias: 'p',
    identity: ['organization_id', 'id'],
    scope: profilesOf(scope),
    filters,
    estimatable: query.search === undefined || query.search === '',
    columns: profileColumns,
    segments: [segment],
    prepared: filters.length === 0,
  };
}

function profilesOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`p.organization_id = ${scope.organizationId}::uuid`
    : sql`p.main_account_id = ${scope.mainAccountId}::uuid`;
}

function filtersOf({ search, field, ignoreCase, status }: esims.ProfileQuery): Fragment[] {
  const filters: Fragment[] = [];
  if (status !== undefined) filters.push(sql`p.status = ${statuses[status]}`);
  if (search !== undefined && search !== '')
    filters.push(contains(sql.ref(`p.${fieldOf(field, fields, 'serial')}`), searchable(search, 'search'), { ignoreCase }));
  return filters;
}

/** The first two routers of an organization that reported an EID; none for the main account, whose file is about no organization. */
export async function readExampleRouters(reader: Reader, scope: Scope): Promise<ExampleRouter[]> {
  if (scope.kind !== 'organization') return [];
  return reader.rows<ExampleRouter>(sql`select d.serial, d.eid from devices d
    where d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null and d.eid is not null
    order by d.serial limit 2`);
}

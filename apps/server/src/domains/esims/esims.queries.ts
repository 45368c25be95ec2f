// Reads tables of other domains: devices, router_contacts, usage_cycles, usage_sims.
import type { esims } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type Scope } from '../../kernel/index.ts';
import {
  defineList,
  nameSortKey,
  numberField,
  onlyOf,
  searchOf,
  sorted,
  type Fragment,
  type Reader,
  type SortKey,
} from '../../platform/listing/index.ts';
import { todayOf } from '../usage/index.ts';
import type { ExampleRouter } from './profile.export.ts';
import { profileColumns, toListedDto, type CodeReader, type ListedRow, type ProfileRow } from './profile.dto.ts';

type Sort = (typeof esims.profileSorts)[number];

/** The vehicle, and the signal of the profile that an online router uses; they change all the time and order no list, so they are joined. */
const listedColumns = sql`d.vehicle_number as vehicle,
  case when p.status = 'In Use' and d.presence = 'online' then k.rssi end as signal`;
const listedJoins = sql`left join devices d on d.organization_id = p.organization_id and d.id = p.device_id
  left join router_contacts k on k.router_id = d.router_id`;

const table = sql`esim_profiles p`;

function key(column: string, kind: SortKey['kind'] = 'text'): SortKey {
  return { column: sql.ref(`p.${column}`), kind };
}

const [serial, id] = [key('serial'), key('id', 'uuid')];

/** The sort keys of each order; each has its index. */
export const orders: Readonly<Record<Sort, readonly SortKey[]>> = {
  serial: [serial, key('priority', 'number'), id],
  name: [nameSortKey(sql.ref('p.name')), serial, id],
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

const fields = {
  serial: sql`p.serial`,
  name: sql`p.name`,
  carrier: sql`p.carrier`,
  iccid: numberField(sql`p.iccid`),
  apn: sql`p.apn`,
};

/** Bytes of the cycle that runs at a time, by the ICCID (USE-02): of a file, since a page of the console asks for them by itself. */
const cycleColumn = (at: Date) => sql`(select sum(c.sent + c.received)::float8 from usage_cycles c
    join usage_sims m on m.organization_id = c.organization_id and m.iccid = c.iccid
  where c.organization_id = p.organization_id and c.iccid = p.iccid
    and c.cycle_from = usage_cycle(${todayOf(sql`p.organization_id`, at)}, m.cycle_day, 0)) as cycle`;

/**
 * The profiles of a scope, filtered and sorted (SIM-01).
 * @param fileAt the time of a file that has the data of the cycle too
 */
export const profileList = (codes: CodeReader, fileAt?: Date) =>
  defineList({
    of(scope: Scope, query: esims.ProfileQuery & { readonly only?: string | undefined }) {
      const { value: keys, descending } = sorted(query.sort ?? 'serial', orders);
      const search = searchOf(query, fields);
      return {
        name: 'esims',
        table,
        alias: 'p',
        identity: ['organization_id', 'id'],
        scope: profilesOf(scope),
        filters: [
          ...(query.status === undefined ? [] : [sql`p.status = ${statuses[query.status]}`]),
          ...search,
          ...onlyOf(query.only, sql`p.id`, 'uuid'),
        ],
        estimatable: search.length === 0,
        columns: sql`${profileColumns}, ${listedColumns}${fileAt === undefined ? sql`` : sql`, ${cycleColumn(fileAt)}`}`,
        joins: listedJoins,
        segments: [{ from: table, keys, descending }],
      };
    },
    toDto: (row: ListedRow) => toListedDto(row, codes),
  });

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

function profilesOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`p.organization_id = ${scope.organizationId}::uuid`
    : sql`p.main_account_id = ${scope.mainAccountId}::uuid`;
}

/** The first two routers of an organization that reported an EID; none for the main account, whose file is about no organization. */
export async function readExampleRouters(reader: Reader, scope: Scope): Promise<ExampleRouter[]> {
  if (scope.kind !== 'organization') return [];
  return reader.rows<ExampleRouter>(sql`select d.serial, d.eid from devices d
    where d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null and d.eid is not null
    order by d.serial limit 2`);
}

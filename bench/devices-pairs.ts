import { atMost, near, type Pair, type Run } from './compare.ts';
import { DEVICES } from './devices.seed.ts';
import { options } from './options.ts';

export const count = options.devices ?? DEVICES;

/** Pages of the list. */
export const page = near(2, 25);

export type Query = Readonly<Record<string, string>>;

const rawColumns: Query = {
  vehicle: 'vehicle_number collate natural_order',
  group: 'group_key',
  expires: 'expires_on',
  uptime: 'up_since',
};

export const rawColumn = (sort: string) => rawColumns[sort] ?? sort;

const carriers = ['Verizon', 'AT&T', 'T-Mobile', 'Bell', 'Rogers'];

/** Digits that do not repeat soon, so that totals are not cached. */
export const digitsOf = (length: number, round: number) =>
  String((round * 7919) % 10 ** length)
    .padStart(length, '0')
    .slice(0, length);

const columns = `d.id, d.organization_id, d.router_id, d.serial, d.mac, d.group_key, d.vehicle_number, d.note, d.started_on::text,
  d.expires_on::text, d.created_at, d.updated_at, d.version, d.presence, d.presence_since, d.presence_reason, c.last_contact_at, d.model,
  d.hardware_version, d.firmware, d.config, d.up_since, d.carrier, d.technology, d.imei, d.imsi, d.iccid, d.mtn, d.eid,
  c.rssi, g.name as group_name, o.name as organization_name`;

const joins = `left join router_contacts c on c.router_id = d.router_id join organizations o on o.id = d.organization_id
  join groups g on g.organization_id = d.organization_id and g.key = d.group_key`;

const own = 'd.organization_id = $1 and d.archived_at is null';

/** Find the keys of the page first, so that only its rows are fetched. */
const pageOf = (condition: string, order: string, rest = '') =>
  `select ${columns} from (select d.id from devices d where ${own} and ${condition} order by ${order} limit 51 ${rest}) place
   join devices d on d.organization_id = $1 and d.id = place.id ${joins} order by ${order}`;

export const sortedBy = (column: string, condition = 'true', rest = '') =>
  pageOf(condition, `d.${column}, ${column === 'serial' ? '' : 'd.serial, '}d.id`, rest);

export const totalOf = (condition: string) =>
  `select count(*)::int as total, count(*) filter (where d.presence = 'online') as online from devices d where ${own} and ${condition}`;

/** Request a page of the list. */
type Ask = (query: Query) => Promise<{ readonly next: string | null }>;

export function combinedPair(
  ask: Ask,
  readBoth: (page: string, total: string, ...values: readonly unknown[]) => Promise<unknown>,
): Pair {
  // Two to four digits: they match from a third of the list to a handful of devices.
  const filterOf = (round: number) => [carriers[round % carriers.length]!, digitsOf(4, round).slice(0, 2 + (round % 3))] as const;
  const condition = "d.presence = 'online' and d.carrier = $2 and d.serial like '%' || $3 || '%'";
  const order = 'd.vehicle_number collate natural_order desc, d.serial desc, d.id desc';
  return {
    name: 'filter + sort + search + page of 50 + total',
    rounds: 60,
    warmUp: 5,
    ours(round) {
      const [carrier, search] = filterOf(round);
      return ask({ presence: 'online', sort: '-vehicle', field: 'serial', carrier, search });
    },
    raw: (round) => readBoth(pageOf(condition, order), totalOf(condition), ...filterOf(round)),
  };
}

export function adjacentPair(ask: Ask, raw: Run<unknown>['raw'], organizationId: string): Pair {
  const start = ['', '', '00000000-0000-0000-0000-000000000000'];
  const next = pageOf('(d.model, d.serial, d.id) > ($2, $3, $4::uuid)', 'd.model, d.serial, d.id');
  let cursor: string | null = null;
  let after = start;
  return {
    name: 'adjacent page by cursor, by model',
    aim: page,
    async ours() {
      const found = await ask({ sort: 'model', ...(cursor === null ? {} : { cursor }) });
      cursor = found.next;
    },
    async raw() {
      const [{ rows }] = (await raw([next, [organizationId, ...after], 'next'])) as [{ rows: Record<string, string>[] }];
      const last = rows[49];
      after = last === undefined ? start : [last['model']!, last['serial']!, last['id']!];
    },
  };
}

/** Into the middle of lists that were not opened before. */
export function firstJumpPair(ask: Ask, read: (text: string, ...values: readonly unknown[]) => Promise<unknown>): Pair {
  const sorts = ['serial', 'vehicle', 'model', 'firmware', 'config', 'group'];
  const sortOf = (round: number) => sorts[round % sorts.length]!;
  const offset = Math.floor(count / 100) * 50;
  return {
    name: 'first jump to the middle of each of six lists',
    rounds: sorts.length,
    warmUp: 0,
    aim: atMost(100),
    ours: (round) => ask({ sort: `-${sortOf(round)}`, offset: String(offset) }),
    raw: (round) => read(sortedBy(rawColumn(sortOf(round)), 'true', 'offset $2'), offset),
  };
}

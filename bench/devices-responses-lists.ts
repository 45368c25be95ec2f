import { devices } from '@highline/contract';
import type { HttpClient } from './http-client.ts';

/** A response of the server, and what SQL says it has to be. */
export interface Check {
  readonly name: string;
  ours(): Promise<unknown>;
  sql(): Promise<unknown>;
}

export type Row = Readonly<Record<string, unknown>>;

export type Query = Readonly<Record<string, string>>;

/** Run one statement; $1 is the organization. */
export type Read = (statement: string) => Promise<Row[]>;

export interface Caller {
  readonly client: HttpClient;
  readonly read: Read;
  readonly count: number;
}

export const LIMIT = 50;

export const mine = 'd.organization_id = $1 and d.archived_at is null';

export interface Page {
  readonly result: readonly { readonly serial_number: string }[];
  readonly total?: number;
  readonly online?: number;
  readonly next?: string | null;
}

export const serialsOf = ({ result }: Page) => result.map((row) => row.serial_number);

/** Each column in its order: names in natural order; what is unset comes last in both directions, and equal values by serial number. */
const orders: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['serial', 'vehicle_number', 'model', 'firmware', 'config', 'expires_on', 'health', 'presence'].map((column) => [
      { vehicle_number: 'vehicle', expires_on: 'expires' }[column] ?? column,
      `d.${column}${column === 'vehicle_number' ? ' collate natural_order' : ''} nulls last, d.serial, d.id`,
    ]),
  ),
  carrier: 'd.carrier nulls last, d.presence, d.serial, d.id',
  uptime: 'd.up_since desc nulls last, d.id desc',
  group: 'g.name collate natural_order, d.serial, d.id',
  organization: 'd.serial, d.id',
  service: `case when d.expires_on < current_date then 3 when d.started_on > current_date then 2 when d.expires_on < current_date + 30 then 1 else 0 end,
    d.expires_on desc, d.serial desc, d.id desc`,
  '-serial': 'd.serial desc, d.id desc',
  '-vehicle': 'd.vehicle_number collate natural_order desc, d.serial desc, d.id desc',
  '-config': 'd.config desc nulls last, d.serial desc, d.id desc',
  '-group': 'g.name collate natural_order desc, d.serial desc, d.id desc',
};

/** The first page, the next one by its cursor, and jumps to the middle and the end. */
export function sortedLists({ client, read, count }: Caller): Check[] {
  const middle = Math.floor(count / 2 / LIMIT) * LIMIT;
  const offsets = [0, LIMIT, middle, count - LIMIT];
  const page = (sort: string, query: Query) =>
    client.get<Page>(devices.listDevices.path, { sort, limit: String(LIMIT), ...query });
  return Object.entries(orders).map(([sort, order]) => ({
    name: `list sorted by ${sort}: first page, next page, middle, end`,
    async ours() {
      const first = await page(sort, {});
      const pages = [first, await page(sort, { cursor: first.next ?? '' })];
      for (const offset of offsets.slice(2)) pages.push(await page(sort, { offset: String(offset) }));
      return pages.map(serialsOf);
    },
    async sql() {
      const rows = await read(`select serial, place from (
          select d.serial, row_number() over (order by ${order}) - 1 as place from devices d
          join groups g on g.organization_id = d.organization_id and g.key = d.group_key where ${mine}) placed
        where ${offsets.map((offset) => `place between ${offset} and ${offset + LIMIT - 1}`).join(' or ')} order by place`);
      return offsets.map((offset) =>
        rows.filter(({ place }) => Number(place) >= offset && Number(place) < offset + LIMIT).map(({ serial }) => serial),
      );
    },
  }));
}

export const filters: readonly (readonly [query: Query, condition: string])[] = [
  [{}, 'true'],
  [{ presence: 'online' }, "d.presence = 'online'"],
  [{ presence: 'offline' }, "d.presence = 'offline'"],
  [{ carrier: 'Verizon' }, "d.carrier = 'Verizon'"],
  [{ presence: 'online', carrier: 'AT&T' }, "d.presence = 'online' and d.carrier = 'AT&T'"],
  [{ service: 'subscribed' }, 'd.started_on <= current_date and d.expires_on >= current_date + 30'],
  [{ service: 'expiring' }, 'd.started_on <= current_date and d.expires_on between current_date and current_date + 29'],
  [{ service: 'not-subscribed' }, '(d.expires_on is null or d.expires_on < current_date or d.started_on > current_date)'],
  [{ expiration: 'month', zone: 'UTC' }, "date_trunc('month', d.expires_on) = date_trunc('month', current_date)"],
  [{ offline: '7d' }, "d.presence = 'offline' and d.presence_since < date_trunc('minute', now()) - interval '7 days'"],
  [
    { signal: 'weak' },
    "d.presence = 'online' and exists (select from router_contacts c where c.router_id = d.router_id and c.is_weak)",
  ],
  [{ sim: 'failed' }, "exists (select from esim_profiles p where p.device_id = d.id and p.status like 'Fail%')"],
  [{ position: 'never' }, 'not exists (select from router_positions p where p.router_id = d.router_id)'],
  [{ tag: 'night' }, "'night' = any (d.tags)"],
  [{ field: 'serial', search: '7' }, "d.serial like '%7%'"],
  [{ field: 'serial', search: '42' }, "d.serial like '%42%'"],
  [{ field: 'serial', search: '713' }, "d.serial like '%713%'"],
  [{ field: 'serial', search: '90210' }, "d.serial like '%90210%'"],
  [{ field: 'vehicle', search: 'Medic 77' }, "d.vehicle_number like '%Medic 77%'"],
  [{ field: 'config', search: 'night' }, "d.config like '%night%'"],
  [{ field: 'group', search: 'Depot 7' }, "d.group_key in (select key from groups where name like '%Depot 7%')"],
  [
    { presence: 'online', carrier: 'Bell', field: 'serial', search: '55' },
    "d.presence = 'online' and d.carrier = 'Bell' and d.serial like '%55%'",
  ],
];

/** First page, total and number of those online, of each filter and search. */
export function filteredLists({ client, read }: Caller, whose: string): Check[] {
  return filters.map(([query, condition]) => ({
    name: `list ${whose}, ${JSON.stringify(query)}: first page, total, online`,
    async ours() {
      const page = await client.get<Page>(devices.listDevices.path, { sort: 'serial', limit: String(LIMIT), ...query });
      return [serialsOf(page), page.total, page.online];
    },
    async sql() {
      const where = `from devices d where ${mine} and ${condition}`;
      const rows = await read(`select d.serial ${where} order by d.serial, d.id limit ${LIMIT}`);
      const [counted] = await read(
        `select count(*)::int as total, count(*) filter (where d.presence = 'online')::int as online ${where}`,
      );
      return [rows.map(({ serial }) => serial), counted!['total'], counted!['online']];
    },
  }));
}

import { openRaw } from './raw.ts';

/** Keys of the last row of a page: model, serial number, id. */
export type RawAnchor = readonly [string, string, string];

const columns = `d.id, d.organization_id, d.router_id, d.serial, d.mac, d.group_key, d.vehicle_number, d.note, d.started_on::text,
  d.expires_on::text, d.created_at, d.updated_at, d.version, d.presence, d.presence_since, d.presence_reason, c.last_contact_at, d.model,
  d.hardware_version, d.firmware, d.config, d.up_since, d.carrier, d.technology, d.imei, d.imsi, d.iccid, d.mtn, d.eid,
  c.rssi, g.name as group_name, o.name as organization_name`;
const joins = `left join router_contacts c on c.router_id = d.router_id join organizations o on o.id = d.organization_id
  join groups g on g.organization_id = d.organization_id and g.key = d.group_key`;
const mine = 'd.organization_id = $1 and d.archived_at is null';
const filter = `${mine} and d.presence = 'online' and d.carrier = $2 and d.serial like '%' || $3 || '%'`;

/** Find the keys of the page first, so that only its rows are fetched. */
function pageOf(places: string, order: string): string {
  return `select ${columns} from (${places}) place join devices d on d.organization_id = $1 and d.id = place.id ${joins} order by ${order}`;
}

const online = `select count(*)::int as total, count(*) filter (where d.presence = 'online') as online from devices d`;

const statements = {
  filtered: pageOf(
    `select d.id, d.vehicle_number from devices d where ${filter} order by d.vehicle_number collate natural_order desc, d.serial desc, d.id desc limit 51`,
    'd.vehicle_number collate natural_order desc, d.serial desc, d.id desc',
  ),
  filteredTotal: `${online} where ${filter}`,
  next: pageOf(
    `select d.id from devices d where ${mine} and (d.model, d.serial, d.id) > ($2, $3, $4::uuid) order by d.model, d.serial, d.id limit 51`,
    'd.model, d.serial, d.id',
  ),
};

export type RawDevices = Awaited<ReturnType<typeof openRawDevices>>;

export async function openRawDevices(url: string, organizationId: string) {
  const { first, second, close } = await openRaw(url);
  const run = async (name: keyof typeof statements, values: readonly unknown[], client = first) => {
    // Searches differ too much for one plan: planning each one is the fastest.
    const prepared = name === 'next' ? { name } : {};
    const query = { ...prepared, text: statements[name], values: [organizationId, ...values] };
    return (await client.query<Record<string, string>>(query)).rows;
  };
  const ordered = (column: string) => `d.${column}, ${column === 'serial' ? '' : 'd.serial, '}d.id`;
  const pageWhere = (condition: string, column: string, rest = '') =>
    pageOf(
      `select d.id from devices d where ${mine} and ${condition} order by ${ordered(column)} limit 51 ${rest}`,
      ordered(column),
    );
  return {
    filteredPage: ({ carrier, search }: Readonly<Record<'carrier' | 'search', string>>) =>
      Promise.all([run('filtered', [carrier, search]), run('filteredTotal', [carrier, search], second)]),
    sortedPage: (column: string, condition = 'true') =>
      first.query({
        name: `by ${column} ${condition}`.slice(0, 60),
        text: pageWhere(condition, column),
        values: [organizationId],
      }),
    searchedPage: (column: string, text: string) =>
      Promise.all([
        first.query({ text: pageWhere(`d.${column} like '%' || $2 || '%'`, column), values: [organizationId, text] }),
        second.query({ text: `${online} where ${mine} and d.${column} like '%' || $2 || '%'`, values: [organizationId, text] }),
      ]),
    async nextPage(after: RawAnchor): Promise<RawAnchor | undefined> {
      const last = (await run('next', after))[49];
      return last && [last['model']!, last['serial']!, last['id']!];
    },
    jump: (column: string, offset: number, condition = 'true') =>
      first.query({ text: pageWhere(condition, column, 'offset $2'), values: [organizationId, offset] }),
    total: (condition: string) => first.query({ text: `${online} where ${mine} and ${condition}`, values: [organizationId] }),
    searchTotal: (column: string, text: string) =>
      first.query({ text: `${online} where ${mine} and d.${column} like '%' || $2 || '%'`, values: [organizationId, text] }),
    close,
  };
}

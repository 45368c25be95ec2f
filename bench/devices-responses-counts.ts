import { devices, groups, inventory, organizations } from '@highline/contract';
import { type Check, type Query, type Caller, LIMIT, mine, type Page, serialsOf, filters } from './devices-responses-lists.ts';

const byText = (one: readonly unknown[], other: readonly unknown[]) => String(one).localeCompare(String(other));

/** The overview, what needs attention, and the devices of each group. */
export function checkedCounts({ client, read, count }: Caller): Check[] {
  return [
    {
      name: 'overview: online, offline, unknown, expiring, all, groups, each carrier',
      async ours() {
        const { result } = await client.get<{ result: Record<string, unknown> }>(devices.statistics.path, {});
        const carriers = result['carriers'] as readonly { carrier: string; total: number; online: number; offline: number }[];
        return [
          ['online', 'offline', 'unknown', 'expired', 'devices', 'group'].map((name) => result[name]),
          carriers.map((each) => [each.carrier, each.total, each.online, each.offline]).toSorted(byText),
        ];
      },
      async sql() {
        const is = (presence: string) => `count(*) filter (where d.presence = '${presence}')::int`;
        const [all] = await read(`select ${is('online')} as online, ${is('offline')} as offline, ${is('unknown')} as unknown,
            count(*) filter (where ${filters[6]![1]})::int as expiring, count(*)::int as total,
            (select count(*)::int from groups where organization_id = $1) as groups from devices d where ${mine}`);
        const carriers =
          await read(`select d.carrier, count(*)::int as total, ${is('online')} as online, ${is('offline')} as offline
            from devices d where ${mine} and d.carrier is not null group by 1 order by 1`);
        return [Object.values(all!), carriers.map((row) => Object.values(row)).toSorted(byText)];
      },
    },
    {
      name: 'what needs attention: offline for a day, weak, expiring, not subscribed',
      async ours() {
        const { result } = await client.get<{ result: Record<string, unknown> }>(devices.attention.path, { offline: '1d' });
        return [(result['offline'] as { total: number }).total, result['weak'], result['expiring'], result['unsubscribed']];
      },
      async sql() {
        const since = "d.presence = 'offline' and d.presence_since < date_trunc('minute', now()) - interval '1 day'";
        const sums = [since, filters[10]![1], filters[6]![1], filters[7]![1]].map(
          (condition, index) => `count(*) filter (where ${condition})::int as n${index}`,
        );
        return Object.values((await read(`select ${sums.join(', ')} from devices d where ${mine}`))[0]!);
      },
    },
    {
      name: 'groups with the number of their devices, and one group’s devices',
      async ours() {
        const list = await client.get<{ result: readonly Record<string, unknown>[] }>(groups.listGroups.path, { limit: '100' });
        const of = Object.fromEntries(list.result.map((row) => [row['group_name'] ?? row['name'], row]));
        const group = of['Depot 7'] as { group: string };
        const members = await client.get<Page>(groups.listMembers.path.replace('{group}', group.group), { limit: '20' });
        return [Object.keys(of).length, members.total, serialsOf(members)];
      },
      async sql() {
        const where = `from devices d where ${mine} and d.group_key = (select key from groups where organization_id = $1 and name = 'Depot 7')`;
        const [n] = await read(
          `select (select count(*)::int from groups where organization_id = $1) as groups, count(*)::int as total ${where}`,
        );
        const rows = await read(`select d.serial ${where} order by d.serial, d.id limit 20`);
        return [n!['groups'], n!['total'], rows.map(({ serial }) => serial)];
      },
    },
    {
      name: 'the page around a device in the middle',
      async ours() {
        const [device] = await read(
          `select d.id from devices d where ${mine} order by d.serial, d.id offset ${Math.floor(count / 2) + 7} limit 1`,
        );
        return serialsOf(
          await client.get<Page>(devices.listDevices.path, { sort: 'serial', limit: '10', around: String(device!['id']) }),
        );
      },
      sql: async () =>
        (
          await read(
            `select d.serial from devices d where ${mine} order by d.serial, d.id offset ${Math.floor((Math.floor(count / 2) + 7) / 10) * 10} limit 10`,
          )
        ).map(({ serial }) => serial),
    },
  ];
}

export function inventoryLists({ client, read, count }: Caller): Check[] {
  const all = 'from routers r where r.organization_id = $1';
  const kinds: readonly (readonly [query: Query, condition: string, order: string])[] = [
    [{ sort: 'serial' }, 'true', 'r.serial, r.id'],
    [{ sort: '-mac' }, 'true', 'r.mac desc, r.id desc'],
    [{ sort: 'model', offset: String(Math.floor(count / 2)) }, 'true', 'r.model collate "C", r.serial, r.id'],
    [{ sort: 'presence' }, 'true', 'r.presence, r.serial, r.id'],
    [{ sort: 'serial', field: 'serial', search: '8080' }, "r.serial like '%8080%'", 'r.serial, r.id'],
    [{ sort: 'serial', claimed: 'unclaimed' }, 'r.organization_id is null', 'r.serial, r.id'],
  ];
  return kinds.map(([query, condition, order]) => ({
    name: `inventory, ${JSON.stringify(query)}: page and total`,
    async ours() {
      const page = await client.get<Page>(inventory.listRouters.path, { limit: String(LIMIT), ...query });
      return [serialsOf(page), page.total];
    },
    async sql() {
      const where = `${all} and ${condition}`;
      const rows = await read(`select r.serial ${where} order by ${order} offset ${query['offset'] ?? 0} limit ${LIMIT}`);
      const [{ total } = { total: 0 }] = await read(`select count(*)::int as total ${where}`);
      return [rows.map(({ serial }) => serial), total];
    },
  }));
}

/** The figures of a main account, and its list of organizations. */
export function wholeAccount({ client, read }: Caller): Check[] {
  const figures = `select count(*)::int as devices, count(*) filter (where d.presence = 'online')::int as online from devices d where ${mine}`;
  return [
    {
      name: 'figures of all organizations',
      async ours() {
        const { result } = await client.get<{ result: Record<string, unknown> }>(organizations.fleet.path, {});
        return [result['devices'], result['online'], result['stock']];
      },
      sql: async () => [...Object.values((await read(figures))[0]!), 0],
    },
    {
      name: 'list of organizations with their devices',
      async ours() {
        const { result } = await client.get<{ result: { list: readonly Record<string, unknown>[] } }>(
          organizations.listOrganizations.path,
          { limit: '10' },
        );
        return result.list.map((row) => [row['devices'], row['online']]);
      },
      sql: async () => [Object.values((await read(figures))[0]!)],
    },
  ];
}

import { openRaw } from './raw.ts';

const orders = {
  default: `(g.key = 'default+group+id') desc, g.name collate "C"`,
  firmware: `(select b.label from bindings b where b.organization_id = $1 and b.group_key = g.key and b.kind = 'firmware' and b.ended_at is null), g.name collate "C"`,
  devices: `(select count(*) from devices d where d.organization_id = $1 and d.group_key = g.key and d.archived_at is null) desc, g.name collate "C"`,
} as const;

const open = (binding: string) =>
  `(select count(*)::int from rollout_targets t where t.binding_id = ${binding} and t.state <> 'successful')`;

/** Columns of the list for ten groups: both bindings, all devices, and routers without a file. */
function shown(page: string): string {
  return `select p.*, f.id as firmware_id, f.label as firmware, f.schedule, f.postpone_until, c.id as config_id, c.label as config,
      (select count(*)::int from devices d where d.organization_id = $1 and d.group_key = p.key and d.archived_at is null) as devices,
      ${open('f.id')} as firmware_open, ${open('c.id')} as config_open,
      (select count(distinct t.device_id)::int from rollout_targets t where t.binding_id in (f.id, c.id) and t.state <> 'successful') as lacking
    from (${page}) p
    left join bindings f on f.organization_id = $1 and f.group_key = p.key and f.kind = 'firmware' and f.ended_at is null
    left join bindings c on c.organization_id = $1 and c.group_key = p.key and c.kind = 'config' and c.ended_at is null`;
}

const columns = 'g.key, g.name, g.description, g.version, g.created_at';
const memberColumns = 'd.id, d.serial, d.vehicle_number, d.model, d.presence, d.started_on::text, d.expires_on::text';
const inGroup = 'd.organization_id = $1 and d.group_key = $2 and d.archived_at is null';

export type RawGroups = Awaited<ReturnType<typeof openRawGroups>>;

export async function openRawGroups(url: string, organizationId: string) {
  const { first, second, close } = await openRaw(url);
  const both = (page: string, total: string, values: readonly unknown[], totalValues: readonly unknown[]) =>
    Promise.all([
      first.query({ text: page, values: [organizationId, ...values] }),
      second.query({ text: total, values: [organizationId, ...totalValues] }),
    ]);
  return {
    page: (order: keyof typeof orders, offset: number) =>
      both(
        shown(`select ${columns} from groups g where g.organization_id = $1 order by ${orders[order]} limit 10 offset $2`),
        'select count(*)::int as total from groups where organization_id = $1',
        [offset],
        [],
      ),
    search: (text: string) => {
      const where = `g.organization_id = $1 and g.name like '%' || $2 || '%'`;
      const page = `select ${columns} from groups g where ${where} order by ${orders.default} limit 10`;
      return both(shown(page), `select count(*)::int as total from groups g where ${where}`, [text], [text]);
    },
    members: (group: string, offset: number) =>
      both(
        `select ${memberColumns} from devices d where ${inGroup} order by d.serial, d.id limit 51 offset $3`,
        `select count(*)::int as total from devices d where ${inGroup}`,
        [group, offset],
        [group],
      ),
    findMembers: (group: string, text: string) => {
      const where = `${inGroup} and d.vehicle_number like '%' || $3 || '%'`;
      return both(
        `select ${memberColumns} from devices d where ${where} order by d.serial, d.id limit 51`,
        `select count(*)::int as total from devices d where ${where}`,
        [group, text],
        [group, text],
      );
    },
    close,
  };
}

import { openRaw } from './raw.ts';

const shown = `o.id, o.name, o.tags, o.phone, o.address, o.description, o.created_at, o.updated_at`;
const counts = `(select count(*)::int as devices, count(*) filter (where d.expires_on between current_date and current_date + 30)::int as expiring,
    count(*) filter (where d.expires_on < current_date)::int as ended
  from devices d where d.organization_id = o.id and d.archived_at is null) counts`;
const contacts = `(select json_agg(json_build_object('email', a.email, 'roles', a.roles) order by a.email) as contacts
  from accounts a where a.organization_id = o.id and a.is_contact) contacts`;
const living = 'o.main_account_id = $1 and o.deleted_at is null';

/** Columns of the list, for ten organizations only. */
const tenOf = (where: string, offset: string) => `select * from
  (select ${shown} from organizations o where ${where} order by o.name collate "C", o.id limit 10 offset ${offset}) o
  cross join lateral ${counts} cross join lateral ${contacts} order by o.name collate "C", o.id`;

const pages = {
  name: tenOf(living, '$2'),
  // Sorting by the number of devices requires counting all of them.
  devices: `select * from (select ${shown}, counts.* from organizations o cross join lateral ${counts} where ${living}
      order by devices desc, o.id limit 10 offset $2) o cross join lateral ${contacts} order by o.devices desc, o.id`,
} as const;

const matching = {
  name: `${living} and o.name like '%' || $2 || '%'`,
  email: `${living} and exists (select 1 from accounts a where a.organization_id = o.id and a.is_contact and a.email like '%' || $2 || '%')`,
} as const;

export type RawOrganizations = Awaited<ReturnType<typeof openRawOrganizations>>;

export async function openRawOrganizations(url: string, mainAccountId: string) {
  const { first, second, close } = await openRaw(url);
  return {
    page: (order: keyof typeof pages, offset: number) =>
      Promise.all([
        first.query({ name: `page by ${order}`, text: pages[order], values: [mainAccountId, offset] }),
        second.query({
          name: 'total',
          text: `select count(*)::int as total from organizations o where ${living}`,
          values: [mainAccountId],
        }),
      ]),
    search: (field: keyof typeof matching, text: string) =>
      Promise.all([
        first.query({ name: `search ${field}`, text: tenOf(matching[field], '0'), values: [mainAccountId, text] }),
        second.query({
          name: `total ${field}`,
          text: `select count(*)::int as total from organizations o where ${matching[field]}`,
          values: [mainAccountId, text],
        }),
      ]),
    /** Rewrite the rows of a transfer in one transaction: no session, no validation, no audit, no events. */
    async transfer(devices: readonly string[], routers: readonly string[], origin: string, target: string) {
      await first.query('begin');
      for (const [text, values] of [
        [
          `update devices set organization_id = $2, group_key = 'default+group+id', version = version + 1, updated_at = now()
            where organization_id = $3 and id = any ($1::uuid[])`,
          [devices, target, origin],
        ],
        [`update routers set organization_id = $2 where id = any ($1::uuid[])`, [routers, target]],
        [`update router_ownership set owned_until = now() where router_id = any ($1::uuid[]) and owned_until is null`, [routers]],
        [
          `insert into router_ownership (router_id, owned_from, organization_id, device_id)
            select id, now() + interval '1 microsecond', organization_id, device_id from routers where id = any ($1::uuid[])`,
          [routers],
        ],
      ] as const)
        await first.query(text, [...values]);
      await first.query('commit');
    },
    close,
  };
}

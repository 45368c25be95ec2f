import { openRaw } from './raw.ts';

const orders = {
  serial: 'p.serial, p.priority, p.id',
  name: 'p.name, p.serial, p.id',
  newest: 'p.updated_at desc, p.id desc',
} as const;

const columns = `p.id, p.device_id, p.serial, p.eid, p.is_preloaded, p.sealed_code, p.iccid, p.apn, p.apn2, p.name, p.carrier, p.status,
  p.reason, p.priority, p.version, p.created_at, p.updated_at`;

export type RawProfiles = Awaited<ReturnType<typeof openRawProfiles>>;

export async function openRawProfiles(url: string, ids: { readonly organizationId: string; readonly mainAccountId: string }) {
  const { first, second, close } = await openRaw(url);
  const both = (where: string, order: string, values: readonly unknown[], offset = 0) =>
    Promise.all([
      first.query({
        text: `select ${columns} from esim_profiles p where ${where} order by ${order} limit 50 offset ${offset}`,
        values: [...values],
      }),
      second.query({ text: `select count(*)::int as total from esim_profiles p where ${where}`, values: [...values] }),
    ]);
  return {
    page: (order: keyof typeof orders, whose: 'organization' | 'main', offset: number) =>
      whose === 'main'
        ? both('p.main_account_id = $1', orders[order], [ids.mainAccountId], offset)
        : both('p.organization_id = $1', orders[order], [ids.organizationId], offset),
    search: (iccid: string) =>
      both(`p.organization_id = $1 and p.iccid like '%' || $2 || '%'`, orders.serial, [ids.organizationId, iccid]),
    ofStatus: (status: string) => both('p.organization_id = $1 and p.status = $2', orders.serial, [ids.organizationId, status]),
    close,
  };
}

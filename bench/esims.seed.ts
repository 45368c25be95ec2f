import { prepareForReads, type BenchDatabase } from './cluster.ts';
import { seedDevices, type BigOrganization } from './devices.seed.ts';

/** Number of routers, each with several profiles. */
export const ROUTERS = 20_000;
export const PROFILES_EACH = 5;

export interface ProfiledOrganization extends BigOrganization {
  /** Bearer of a user of the main account, who sees the profiles of all organizations. */
  readonly mainBearer: string;
}

/** 100,000 profiles of one organization, most of them installed; no router is connected. */
export async function seedProfiles(database: BenchDatabase): Promise<ProfiledOrganization> {
  const organization = await seedDevices(database, ROUTERS);
  const { owner, seeding } = database;
  const { mainAccountId, organizationId } = organization;
  await owner.query(insertProfiles, [organizationId, PROFILES_EACH]);
  await prepareForReads(database, ['esim_profiles']);
  const person = await seeding.account({ kind: 'main', mainAccountId }, 'main@bench.example', 'main');
  return { ...organization, mainBearer: await seeding.bearer(person) };
}

const insertProfiles = `insert into esim_profiles (organization_id, id, main_account_id, device_id, router_id, serial, eid, is_preloaded,
    iccid, apn, name, carrier, status, priority, created_at, updated_at, path)
  select r.organization_id, gen_random_uuid(), r.main_account_id, r.device_id, r.id, r.serial, lpad(r.n::text, 32, '8'), p = 1,
    '89' || lpad((r.n * 10 + p)::text, 17, '0'), 'fleet' || (r.n * 7919 + p) % 12, 'Plan ' || (r.n * 7919 + p) % 400,
    (array['Verizon', 'AT&T', 'T-Mobile', 'Bell', 'Rogers'])[1 + (r.n + p) % 5],
    case when p = 1 then 'In Use' when (r.n + p) % 40 = 0 then 'Fail to download' else 'Activated' end, p, now(),
    now() - ((r.n * 7919 + p) % 900000) * interval '1 second', 'Device.TrustedElements.SIM.1.Profile.' || p || '.'
  from (select *, row_number() over (order by id) as n from routers where organization_id = $1) r, generate_series(1, $2::int) p`;

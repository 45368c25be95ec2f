import type { MainScope } from '@highline/testkit/seeding';
import { prepareForReads, type BenchDatabase } from './cluster.ts';
import { seedDevices } from './devices.seed.ts';
import { options } from './options.ts';

export const ORGANIZATIONS = options.short ? 200 : 2_000;

export const DEVICES = options.short ? 5_000 : 100_000;

export const MOVED = DEVICES / 5;

/** A main account with all the organizations, and a user with access. */
export interface ManyOrganizations {
  readonly mainAccountId: string;
  readonly bearer: string;
  /** Contains the devices to transfer; the other one is empty. */
  readonly origin: string;
  readonly target: string;
}

/** 2,000 organizations with a contact each: one of 20,000 devices, an empty one, and the other 80,000 spread over the rest. */
export async function seedOrganizations(database: BenchDatabase): Promise<ManyOrganizations> {
  const { mainAccountId, organizationId: origin } = await seedDevices(database, DEVICES);
  const { owner, seeding } = database;
  const main: MainScope = { kind: 'main', mainAccountId };
  const { organizationId: target } = await seeding.organization(main, 'New lines');
  const account = await seeding.account(main, 'main@bench.example', 'main');
  await owner.query(insertOrganizations, [mainAccountId, ORGANIZATIONS - 2]);
  await owner.query(
    `insert into groups (organization_id, key, name) select id, 'default+group+id', 'default' from organizations
      where main_account_id = $1 on conflict do nothing`,
    [mainAccountId],
  );
  await owner.query(insertContacts, [mainAccountId]);
  await owner.query(spreadDevices, [mainAccountId, [origin, target], origin, MOVED]);
  await owner.query(`update routers r set organization_id = d.organization_id from devices d where d.router_id = r.id`);
  await owner.query(
    `insert into router_ownership (router_id, owned_from, organization_id, device_id)
      select id, now() - interval '1 year', organization_id, device_id from routers`,
  );
  await prepareForReads(database, ['router_ownership', 'organizations', 'accounts', 'groups']);
  return { mainAccountId, bearer: await seeding.bearer(account), origin, target };
}

const insertOrganizations = `insert into organizations (id, main_account_id, name, phone, address)
  select gen_random_uuid(), $1, 'Transit ' || lpad(i::text, 4, '0'), '+1 312 555 ' || lpad(i::text, 4, '0'), i || ' Harbor Avenue'
  from generate_series(1, $2::int) i`;

const insertContacts = `insert into accounts (id, main_account_id, organization_id, email, name, roles, is_contact)
  select gen_random_uuid(), $1, o.id, 'contact-' || o.id || '@bench.example', 'Contact', array['r.' || o.id || '.super'], true
  from organizations o where o.main_account_id = $1`;

/** Distribute all but the first ones over the other organizations. */
const spreadDevices = `with targets as (select id, row_number() over (order by id) - 1 as n, count(*) over () as all
      from organizations where main_account_id = $1 and id <> all ($2::uuid[])),
    numbered as (select id, row_number() over (order by id) as n from devices where organization_id = $3)
  update devices d set organization_id = targets.id, group_key = 'default+group+id'
  from numbered join targets on targets.n = numbered.n % targets.all
  where d.organization_id = $3 and d.id = numbered.id and numbered.n > $4`;

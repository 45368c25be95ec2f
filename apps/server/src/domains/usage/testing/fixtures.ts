import type { Fixture, Fixtures } from '../../../testing/fixture.ts';

const ICCID = '89014103211118510720';

/** A SIM of the tenant that used data today, in its device. */
const used: Pick<Fixture, 'prepare'> = {
  prepare: async ({ organizationId, deviceId }, _seeding, { owner }) => {
    await owner.query('insert into usage_sims (organization_id, iccid) values ($1, $2) on conflict do nothing', [
      organizationId,
      ICCID,
    ]);
    await owner.query(
      `insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received)
       select $1, usage_cycle_of((now() at time zone 'UTC')::date, 1), $2, $3, 4711, 815 on conflict do nothing`,
      [organizationId, ICCID, deviceId],
    );
    await owner.query(
      `insert into usage_totals (organization_id, day, sent, received) select $1, (now() at time zone 'UTC')::date, 4711, 815
       on conflict do nothing`,
      [organizationId],
    );
  },
};

/** A data plan of the tenant; it has the id of its device. */
const planned: Pick<Fixture, 'prepare'> = {
  prepare: async ({ organizationId, deviceId, name }, _seeding, { owner }) => {
    await owner.query(
      `insert into usage_plans (organization_id, id, name, cycle_day, allowance, is_pool, applies_to, shares, action, actor)
       values ($1, $2, $3, 1, 1000, false, 'chosen', '{80}', 'mail', '{}') on conflict do nothing`,
      [organizationId, deviceId, `Plan of ${name}`],
    );
  },
};

const planFields = {
  cycleDay: 1,
  allowance: 5_000_000_000,
  isPool: false,
  costPerGb: null,
  currency: '',
  appliesTo: 'chosen',
  carrier: '',
  shares: [80],
  action: 'mail',
  command: null,
};

export const fixtures: Fixtures = {
  'usagePlans.list': {
    ...planned,
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId } }),
    shows: ({ name }) => `Plan of ${name}`,
  },
  'usagePlans.add': {
    names: 'organization',
    make: ({ organizationId: org }, _ids, role = 'admin') => ({
      body: { org, ...planFields, name: `Another plan ${role} ${Date.now()}` },
    }),
    shows: () => '"id":"',
  },
  'usagePlans.save': {
    ...planned,
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: plan, name }) => ({
      params: { plan },
      body: { org, ...planFields, name: `Plan of ${name}`, version: 1 },
    }),
    shows: ({ deviceId }) => deviceId,
  },
  'usagePlans.delete': {
    ...planned,
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: plan }) => ({ params: { plan }, query: { org } }),
    shows: () => '"deleted":1',
  },
  'usagePlans.assign': {
    ...planned,
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: plan }) => ({
      params: { plan },
      body: { org, iccids: [ICCID], confirmed: true },
    }),
    shows: () => '"sims":1',
  },
  'usagePlans.readFile': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org }, file: `ICCID\n${ICCID}\n` }),
    shows: () => ICCID,
  },
  'usagePlans.setZone': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, zone: 'America/Chicago' } }),
    shows: () => '"zone":"America/Chicago"',
  },
  'usagePlans.preview': {
    ...planned,
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: plan, name }) => ({
      body: { org, ...planFields, name: `Plan of ${name}`, plan },
    }),
    shows: () => '"forecast":',
  },
  'usage.list': {
    ...used,
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, limit: '10' } }),
    shows: ({ deviceId }) => deviceId,
  },
  'usage.export': {
    ...used,
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, by: 'vehicles' } }),
    shows: ({ serial }) => serial,
  },
  'usage.month': {
    ...used,
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId } }),
    shows: () => '"sent":4711',
  },
  'usage.of': {
    ...used,
    names: 'organization',
    make: (scope, ids) => ({ query: { org: scope.organizationId, devices: ids.deviceId } }),
    shows: ({ deviceId }) => deviceId,
  },
};

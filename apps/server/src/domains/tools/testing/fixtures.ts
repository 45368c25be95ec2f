import { withRouter, type Fixture, type Fixtures } from '../../../testing/fixture.ts';

const input = { tool: 'ping', host: 'depot.example', ipVersion: 'any', count: 1, bytes: 32 };

/** A log that the router of the loose device sent; its run has the id of the device. */
const withRun: NonNullable<Fixture['prepare']> = async ({ organizationId, looseDeviceId }, _, { owner }) => {
  const values = [organizationId, looseDeviceId];
  await owner.query(
    `insert into tool_runs (organization_id, id, device_id, router_id, tool, input, state, result, started_by, created_at, ended_at, ends_by,
       file_bytes, file_sha256)
     select organization_id, id, id, router_id, 'log', '{"tool":"log"}', 'done', '{"tool":"log","status":"complete"}', 'x@y.invalid', now(),
       now(), now(), 3, 'ab' from devices where organization_id = $1 and id = $2 on conflict do nothing`,
    values,
  );
  await owner.query(
    `insert into tool_files (organization_id, run_id, contents, created_at) values ($1, $2, 'log', now()) on conflict do nothing`,
    values,
  );
};

export const fixtures: Fixtures = {
  'tools.list': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ params: { device }, query: { org } }),
    prepare: withRun,
    shows: ({ looseDeviceId }) => looseDeviceId,
  },
  'tools.offered': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ params: { device }, query: { org } }),
    prepare: withRouter,
    shows: () => '"result":[',
  },
  'tools.run': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ params: { device }, body: { org, input } }),
    prepare: withRouter,
    shows: ({ looseDeviceId }) => looseDeviceId,
  },
  'tools.get': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: run }) => ({ params: { run }, query: { org } }),
    prepare: withRun,
    shows: ({ looseDeviceId }) => looseDeviceId,
  },
  'tools.bundle': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ params: { device }, query: { org } }),
    shows: () => 'PK',
  },
  'tools.speeds': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ params: { device }, query: { org } }),
    shows: () => '"result":[',
  },
  'tools.targets': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ query: { org } }),
    shows: () => '"allow":',
  },
  'tools.saveTargets': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, allow: 'public', ranges: [] } }),
    shows: () => '"allow":"public"',
  },
  'tools.file': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: run }) => ({ params: { run }, query: { org } }),
    prepare: withRun,
    shows: () => 'log',
  },
};

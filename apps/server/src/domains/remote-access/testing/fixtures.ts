import { send } from '../../../testing/call.ts';
import type { Seeding } from '../../../testing/seeding.ts';
import type { TestServer } from '../../../testing/server.ts';
import type { Tenant } from '../../../testing/tenants.ts';
import { withRouter, type Fixture, type Fixtures } from '../../../testing/fixture.ts';

/** A session that the admin opened to it. */
async function withConnection(
  tenant: Tenant,
  seeding: Seeding,
  server: Pick<TestServer, 'url' | 'connectRouter'>,
): Promise<void> {
  await withRouter(tenant, seeding, server);
  const body = { org: tenant.organizationId, serial: tenant.loose.serial, type: 'ssh' };
  const opened = await send(`${server.url}/data_manager/v1/dm/cmds/connectDevice`, { bearer: tenant.bearers.admin, body });
  if (opened.status !== 200) throw new Error(opened.text);
}

/** A router with a client, in an organization that lets everyone open it. */
const withClient: NonNullable<Fixture['prepare']> = async (tenant, seeding, server) => {
  await withRouter(tenant, seeding, server);
  await server.owner.query(
    `insert into client_rules (organization_id, roles, ranges, ports)
      values ($1, '{admin,user}', '{192.168.1.0/24}', '[{"from":22,"to":80}]') on conflict do nothing`,
    [tenant.organizationId],
  );
};
const client = { mac: '00:1B:54:00:00:01', address: '192.168.1.11', port: 80 };

/** A session to it that a user opened. */
const withOpenClient: NonNullable<Fixture['prepare']> = async (tenant, seeding, server) => {
  await withClient(tenant, seeding, server);
  const body = { org: tenant.organizationId, device: tenant.looseDeviceId, ...client, service: 'tcp' };
  const opened = await send(`${server.url}/data_manager/v1/dm/cmds/openClient`, { bearer: tenant.bearers.user, body });
  if (opened.status !== 200) throw new Error(opened.text);
};

export const fixtures: Fixtures = {
  'remoteAccess.get': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.looseDeviceId } }),
    prepare: withConnection,
    shows: () => '"type":"ssh"',
  },
  'remoteAccess.connect': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, serial: ids.loose.serial, type: 'ssh' } }),
    prepare: withRouter,
    shows: () => '"statusCode":200',
  },
  'remoteAccess.secret': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, serial: ids.loose.serial, type: 'ssh' } }),
    prepare: withConnection,
    shows: () => '"username":"hl-',
  },
  'remoteAccess.openTerminal': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, serial: ids.loose.serial } }),
    prepare: withRouter,
    shows: () => '"statusCode":200',
  },
  'remoteAccess.clientRule': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ query: { org } }),
    prepare: withClient,
    shows: () => '192.168.1.0/24',
  },
  'remoteAccess.saveClientRule': {
    names: 'organization',
    make: ({ organizationId: org }) => ({
      body: { org, roles: ['admin', 'user'], ranges: ['192.168.0.0/16'], ports: [{ from: 22, to: 80 }] },
    }),
    shows: () => '192.168.0.0/16',
  },
  'remoteAccess.clientAccess': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ query: { org, device } }),
    prepare: withClient,
    shows: () => '"ports":[',
  },
  'remoteAccess.openClient': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ body: { org, device, ...client, service: 'tcp' } }),
    prepare: withClient,
    shows: () => '"statusCode":200',
  },
  'remoteAccess.openClientTerminal': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({
      body: { org, device, ...client, port: 22, username: 'root', password: 'x' },
    }),
    prepare: withClient,
    shows: () => '"statusCode":200',
  },
  'remoteAccess.endClient': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ body: { org, device } }),
    prepare: withOpenClient,
    shows: () => '"ended":true',
  },
  'remoteAccess.cancel': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, device: ids.looseDeviceId } }),
    prepare: withConnection,
    shows: () => '"ended":true',
  },
  'remoteAccess.resetPassword': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, serial: ids.loose.serial } }),
    prepare: withRouter,
    shows: () => '"reset":true',
  },
};

import { send } from '../call.ts';
import type { Seeding } from '../seeding.ts';
import type { TestServer } from '../server.ts';
import type { Tenant } from '../tenants.ts';
import { withRouter, type Fixtures } from './fixture.ts';

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

export const remoteAccessFixtures: Fixtures = {
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

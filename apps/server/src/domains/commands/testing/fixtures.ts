import { send } from '../../../testing/call.ts';
import { PEOPLES_PASSWORD } from '../../../testing/second-factor.ts';
import type { Seeding } from '../../../testing/seeding.ts';
import type { TestServer } from '../../../testing/server.ts';
import type { Tenant } from '../../../testing/tenants.ts';
import { listOf, withRouter, type Fixtures } from '../../../testing/fixture.ts';

const stored = new WeakSet<Tenant>();

/** A password that waits for the router of the device, and passwords of the three signed-in users. */
async function withStoredPassword(tenant: Tenant, seeding: Seeding, server: Pick<TestServer, 'url'>): Promise<void> {
  for (const id of Object.values(tenant.users)) await seeding.password(id, PEOPLES_PASSWORD);
  if (stored.has(tenant)) return;
  stored.add(tenant);
  const body = { org: tenant.organizationId, device: tenant.deviceId, wait: 1 };
  const set = await send(`${server.url}/data_manager/v1/dm/device/password`, { bearer: tenant.bearers.admin, body });
  if (set.status !== 200) throw new Error(set.text);
}

export const fixtures: Fixtures = {
  'commands.list': listOf(({ commandId }) => commandId),
  'commands.add': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, name: 'Another command', kind: 'reboot' } }),
    shows: () => '"name":"Another command"',
  },
  'commands.save': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command }) => ({ params: { command }, body: { org, pinned: true } }),
    shows: () => '"pinned":true',
  },
  'commands.delete': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command }) => ({ params: { command }, body: { org } }),
    shows: () => '"deleted":1',
  },
  'commands.run': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command, looseDeviceId: device }) => ({
      params: { command },
      body: { org, device },
    }),
    prepare: withRouter,
    shows: () => '"outcome":"done"',
  },
  'commands.send': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ body: { org, device, kind: 'reboot', wait: 1 } }),
    shows: () => '"kind":"reboot"',
  },
  'commands.sent': listOf(({ sentCommandId }) => sentCommandId),
  'commands.cancel': {
    names: 'ids',
    make: ({ organizationId: org }, { sentCommandId: id }) => ({ params: { id }, body: { org } }),
    shows: () => '"state":"cancelled"',
  },
  'routerPasswords.list': listOf(({ serial }) => serial),
  'routerPasswords.set': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ body: { org, device, wait: 1 } }),
    shows: () => '"kind":"set-password"',
  },
  'routerPasswords.show': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ body: { org, device, own_password: PEOPLES_PASSWORD } }),
    prepare: withStoredPassword,
    shows: () => '"username":"admin"',
  },
  'routerPasswords.settings': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ query: { org } }),
    shows: () => '"length":16',
  },
  'routerPasswords.saveSettings': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, length: 16, symbols: true, rotateDays: null, automatic: false } }),
    shows: () => '"symbols":true',
  },
};

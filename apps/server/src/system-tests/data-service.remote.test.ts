import { expect, test } from 'vitest';
import { responsesOf, openExampleServer, type PrintedCall } from '../testing/documented-call.ts';
import type { Tenant } from '../testing/tenants.ts';

// The calls of remote administration as documented in the spec, each with a connected router.

const fixture = openExampleServer();

const CMDS = '/data_manager/v1/dm/cmds';

const both = ({ organizationId: org }: Tenant) => ({ realm: 'highline', org });
const target = (tenant: Tenant) => ({ serial: tenant.loose.serial, ...both(tenant) });
const toShell = (tenant: Tenant) => ({ ...target(tenant), type: 'ssh' });

const withRouter = ({ loose }: Tenant) => fixture.server.connectRouter(loose);

async function withSession(tenant: Tenant): Promise<void> {
  await withRouter(tenant);
  const headers = { authorization: `Bearer ${tenant.bearers.admin}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(toShell(tenant)) };
  expect((await fetch(`${fixture.server.url}${CMDS}/connectDevice`, init)).status).toBe(200);
}

const printed: readonly PrintedCall[] = [
  {
    call: 'POST /data_manager/v1/dm/cmds/resetGuiPassword',
    as: 'admin',
    notAs: 'user',
    prepare: withRouter,
    payload: target,
    response: () => ({ result: { reset: true } }),
    rejected: { payload: both, field: 'serial' },
    names: true,
  },
  {
    call: 'POST /data_manager/v1/dm/cmds/connectDevice',
    as: 'admin',
    notAs: 'user',
    prepare: withRouter,
    payload: toShell,
    response: () => ({ statusCode: 200, url: expect.any(String), port: expect.any(Number) }),
    rejected: { payload: (tenant) => ({ ...target(tenant), type: 'telnet' }), field: 'type' },
    names: true,
  },
  {
    call: 'POST /data_manager/v1/dm/cmds/getOneTimeSecret',
    as: 'admin',
    notAs: 'user',
    prepare: withSession,
    payload: toShell,
    response: () => ({
      statusCode: 200,
      content: expect.objectContaining({ username: expect.any(String), password: expect.any(String) }),
    }),
    rejected: { payload: (tenant) => ({ ...target(tenant), type: '' }), field: 'type' },
    names: true,
  },
  {
    call: 'POST /data_manager/v1/dm/device/arctive',
    as: 'admin',
    notAs: 'user',
    prepare: withSession,
    payload: (tenant) => ({ device: tenant.looseDeviceId, ...both(tenant) }),
    response: () => ({ result: { ended: true } }),
    rejected: { payload: both, field: 'device' },
    names: true,
  },
];

test.each(printed.map((one) => [one.call, one] as const))(
  'API-02 %s works as documented: described in OpenAPI, validated, answered, and denied to others',
  async (_, one) => {
    const [response, expected] = await responsesOf(fixture, one);
    expect(response).toEqual(expected);
  },
);

test('API-02 a failed connection is reported with the messages of section 8', async () => {
  const tenant = await fixture.tenants.another();
  const headers = { authorization: `Bearer ${tenant.bearers.admin}`, 'content-type': 'application/json' };
  const ask = async (command: string) => {
    const response = await fetch(`${fixture.server.url}${CMDS}/${command}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(toShell(tenant)),
    });
    const body: unknown = await response.json();
    return { status: response.status, body };
  };
  expect(await ask('connectDevice')).toMatchObject({ status: 409, body: { error: { key: 'remote.offline' } } });
  expect(await ask('resetGuiPassword')).toMatchObject({ status: 409, body: { error: { key: 'remote.reset_impossible' } } });
  await withSession(tenant);
  expect(await ask('connectDevice')).toMatchObject({
    status: 409,
    body: { error: { message: 'A remote connection exists. Cancel the connection to build a new connection.' } },
  });
});

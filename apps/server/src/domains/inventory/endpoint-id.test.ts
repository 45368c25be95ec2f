import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { TestAgent } from '../../testing/agent.ts';
import { minimalAgent } from '../../testing/agent-models.ts';
import { send } from '../../testing/call.ts';
import { routersNamed } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { buildTenants, type Tenants } from '../../testing/tenants.ts';

const INVENTORY = '/data_manager/v1/dm/inventory';

describe('endpoint ids of the inventory', () => {
  const app = useTestApp();
  let main: MainScope;
  let own: OrganizationScope;
  let person: Actor;
  let unrelated: Actor;

  beforeEach(async () => {
    main = (await app.seeding.mainAccount('Home')).scope;
    own = await app.seeding.organization(main, 'Own');
    person = app.person(main, 'main');
    unrelated = app.person((await app.seeding.mainAccount('Abroad')).scope, 'main');
    app.disconnected.length = 0;
  });

  const fresh = routersNamed('EID');
  let number = 0;
  const unused = (scheme = 'user:') => `${scheme}:unused-${(number += 1)}`;
  const add = (as: Actor, endpointId?: string, { serial, mac } = fresh()) =>
    app.call('POST', INVENTORY, { as, body: { serial_number: serial, mac, ...(endpointId !== undefined && { endpointId }) } });
  const change = (as: Actor, id: string, endpointId: string) =>
    app.call('PATCH', `${INVENTORY}/${id}`, { as, body: { endpointId } });

  test.each([
    'ops::ACDE48-RX200-SN.7',
    'os::acde48-lower-7',
    'proto:acme.test:Router-7',
    'uuid::f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'imei::990000862471854',
    'user::Bus%2042',
    'self::agent-7',
    'oui:ACDE48:7',
  ])('DEV-05-partial a router is added with the endpoint id %s, unchanged', async (endpointId) => {
    const { status, json } = await add(person, endpointId);
    expect([status, json.result.endpointId]).toEqual([200, endpointId]);
    expect(new URL(json.result.url).searchParams.get('eid')).toBe(endpointId);
    expect((await change(person, json.result.id, '')).status).toBe(200);
  });

  test.each(['os:x:7', 'nope::7', 'os::', 'os::a b', '7', '<b>'])(
    'DEV-05-partial %j is rejected as an endpoint id, when a router is added and when it changes',
    async (endpointId) => {
      const rejected = await add(person, endpointId);
      expect([rejected.status, rejected.json.error.key, rejected.json.error.field]).toEqual([
        400,
        'inventory.endpoint_invalid',
        'endpointId',
      ]);
      const { id } = (await add(person)).json.result;
      expect((await change(person, id, endpointId)).json).toEqual(rejected.json);
    },
  );

  test('DEV-05-partial a changed endpoint id keeps the secret, is logged and closes the connection under the old one', async () => {
    const router = fresh();
    const { id, secret } = (await add(person, undefined, router)).json.result;
    const before = await app.owner.query('select secret_hash from routers where id = $1', [id]);
    const to = unused();
    expect((await change(person, id, to)).json.result).toMatchObject({ id, endpointId: to });
    expect((await app.owner.query('select secret_hash from routers where id = $1', [id])).rows).toEqual(before.rows);
    expect(secret).toHaveLength(43);
    expect(app.disconnected).toEqual([id]);
    expect((await app.logOf(main.mainAccountId)).at(-1)).toBe(`Changed the endpoint ID of router ${router.serial}`);
    expect((await change(person, id, '')).json.result.endpointId).toBe(`os::00B2D0-${router.serial}`);
  });

  test('DEV-05-partial the same endpoint id again changes nothing and disconnects no router', async () => {
    const { id, endpointId } = (await add(person)).json.result;
    const log = await app.logOf(main.mainAccountId);
    expect((await change(person, id, endpointId)).status).toBe(200);
    expect([app.disconnected, await app.logOf(main.mainAccountId)]).toEqual([[], log]);
  });

  test('DEV-05-partial an endpoint id names one router; the answer does not reveal whose it is elsewhere', async () => {
    const taken = (await add(person, unused())).json.result.endpointId;
    const { id } = (await add(person)).json.result;
    for (const response of [await add(person, taken), await change(person, id, taken)])
      expect([response.status, response.json.error.key, response.json.error.field]).toEqual([
        409,
        'inventory.endpoint_taken',
        'endpointId',
      ]);
    const theirs = (await add(unrelated)).json.result;
    for (const response of [await add(unrelated, taken), await change(unrelated, theirs.id, taken)])
      expect([response.status, response.json.error.key]).toEqual([409, 'inventory.taken_elsewhere']);
  });

  test('DEV-05-partial of two routers that concurrently get one endpoint id exactly one has it', async () => {
    const to = unused();
    const ids = [(await add(person)).json.result.id, (await add(person)).json.result.id];
    const responses = await Promise.all([...ids.map((id) => change(person, id, to)), add(person, to)]);
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 409, 409]);
  });

  test('DEV-05-partial a router of another main account cannot be changed', async () => {
    const { id } = (await add(person)).json.result;
    expect((await change(unrelated, id, unused())).status).toBe(404);
    expect((await change(person, 'x', unused())).status).toBe(404);
    expect((await change(app.person(own, 'admin'), id, unused())).status).toBe(403);
  });

  test('SHR-05-partial the inventory is searched by endpoint id', async () => {
    const endpointId = unused('proto:acme.test');
    await add(person, endpointId);
    await add(person);
    const { json } = await app.call('GET', INVENTORY, {
      as: person,
      query: { limit: 50, field: 'endpoint', search: endpointId.slice(8) },
    });
    expect(json).toMatchObject({ total: 1, result: [{ endpointId }] });
  });

  test('SHR-08-partial a CSV sets endpoint ids, row by row the default if the cell is empty, and the export shows them', async () => {
    const [a, b, c, d, e] = [fresh(), fresh(), fresh(), fresh(), fresh()];
    const [first, taken] = [unused(), (await add(person, unused())).json.result.endpointId];
    const rows = [
      [a.serial, a.mac, first],
      [b.serial, b.mac, ''],
      [c.serial, c.mac, 'os:x:7'],
      [d.serial, d.mac, first],
      [e.serial, e.mac, taken],
      [fresh().serial, fresh().mac, `os::00B2D0-${b.serial}`],
    ];
    const file = `SN,MAC,Endpoint ID\n${rows.map((row) => row.join()).join('\n')}\n`;
    const dry = await app.call('POST', `${INVENTORY}/batch`, { as: person, file, query: { dryRun: '1' } });
    const { json } = await app.call('POST', `${INVENTORY}/batch`, { as: person, file });
    expect(json.result.fail.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [4, 'Incorrect endpoint ID'],
      [5, 'This endpoint ID is in the file twice.'],
      [6, 'This endpoint ID is already in the inventory.'],
      [7, 'This endpoint ID is in the file twice.'],
    ]);
    expect(dry.json.result.fail).toEqual(json.result.fail);
    expect(json.result.minted.map(({ endpointId }: { endpointId: string }) => endpointId)).toEqual([
      first,
      `os::00B2D0-${b.serial}`,
    ]);
    expect((await app.call('GET', `${INVENTORY}/export`, { as: person })).text).toContain(first);
  });

  test('RPT-02-partial the UDID of a device is the endpoint id of its router, also after a change', async () => {
    const router = fresh();
    const { id, endpointId } = (await add(person, unused('ops:'), router)).json.result;
    await app.seeding.devices(own, [router]);
    const udid = async () =>
      (await app.call('GET', '/data_manager/v1/dm/devices', { as: app.person(own, 'admin'), query: { limit: 5 } })).json.result[0]
        .udid;
    expect(await udid()).toBe(endpointId);
    const to = unused('imei:');
    await change(person, id, to);
    expect(await udid()).toBe(to);
  });
});

describe('a router with its own endpoint id', () => {
  let server: TestServer;
  let tenants: Tenants;

  beforeAll(async () => {
    server = await startTestServer();
    tenants = await buildTenants(server.seeding);
  });
  afterAll(() => server.close());

  test('DEV-05-partial connects with it, and after a change with the new one only', async () => {
    const { bearers, organizationId: org, freshMac: mac } = tenants.own;
    const [ops, imei] = ['ops::ACDE48-RX-1', 'imei::990000862471854'];
    const router = { serial_number: 'SN-OPS-1', mac };
    const added = await send(server.url + INVENTORY, { bearer: bearers.main, body: { ...router, endpointId: ops } });
    const { id, secret } = added.json<{ result: { id: string; secret: string } }>().result;
    const claimed = await send(`${server.url}/data_manager/v1/dm/devices`, {
      bearer: bearers.admin,
      body: { org, devices: [{ ...router, started: '01/01/2026', expired: '12/31/2027' }] },
    });
    expect([added.status, claimed.status]).toEqual([200, 200]);
    await server.connectRouter({ secret, endpointId: ops });

    await send(`${server.url}${INVENTORY}/${id}`, { method: 'PATCH', bearer: bearers.main, body: { endpointId: imei } });
    const old = new TestAgent({ server: server.url.replace('http', 'ws'), secret, endpointId: ops, ...minimalAgent });
    expect(await old.rejected).toBe(401);
    await server.connectRouter({ secret, endpointId: imei });
  });
});

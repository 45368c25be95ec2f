import { generateClients, type GeneratedClients } from '@highline/generated-clients';
import { startAgent, type RouterHandle } from '@highline/router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';

// Clients that are generated from the published description: what a programmer does first.

let server: TestServer;
let clients: GeneratedClients;
let agent: RouterHandle | undefined;

beforeAll(async () => {
  server = await startTestServer();
  clients = await generateClients((await (await fetch(`${server.url}/openapi.json`)).json()) as object);
});
afterAll(async () => {
  await agent?.stop();
  await clients.remove();
  await server.close();
});

test('HKS-03-partial the clients that two generators make of the description compile strictly', () => {
  expect(clients.faults).toBe('');
});

type ClientResponse = Promise<{ readonly status: number; readonly data: unknown }>;
type Client = Readonly<Record<string, (...input: readonly unknown[]) => ClientResponse>> & {
  readonly defaults: { baseUrl: string; headers: Record<string, string> };
};

test('HKS-03-partial a generated client signs in, lists, shows, adds, saves, moves, binds, waits for the rollout, exports, deletes and signs out', async () => {
  const { scope: main } = await server.seeding.mainAccount('Home');
  const organization = await server.seeding.organization(main, 'Own');
  const [email, password] = ['admin@generated.invalid', 'correct horse battery'];
  await server.seeding.account(organization, email, 'admin', password);
  const [serial, mac] = ['GC000001', '0200000C0001'];
  const [router] = await server.seeding.routers(main, [{ serial, mac }]);

  const client = (await clients.load()) as Client;
  client.defaults.baseUrl = server.url;
  const call = async <T>(name: string, ...input: readonly unknown[]): Promise<T> => {
    const { status, data } = await client[name]!(...input);
    expect([name, status, data]).toEqual([name, 200, expect.anything()]);
    return data as T;
  };
  type Device = { readonly device: string; readonly vehicle_number: string; readonly group: string; readonly presence: string };

  const { result: session } = await call<{ result: { vap: string } }>('accountsSignIn', { email, password });
  client.defaults.headers = { authorization: `Bearer ${session.vap}` };
  const day = { started: '01/01/2026', expired: '12/31/2199' };
  const added = await call<{ result: Device[] }>('devicesAdd', { devices: [{ serial_number: serial, mac, ...day }] });
  const { device } = added.result[0]!;
  expect((await call<{ result: Device[] }>('devicesList', { limit: 10 })).result).toMatchObject([
    { device, serial_number: serial },
  ]);
  await call('devicesSave', { device, vehicleNumber: 'Bus 2104', tags: ['school-bus'] });
  const { result: group } = await call<{ result: { group: string } }>('groupsCreate', { name: 'North depot' });
  await call('groupsSave', group.group, { add: [device] });
  const show = async () => (await call<{ result: Device }>('devicesGet', device)).result;
  expect(await show()).toMatchObject({ vehicle_number: 'Bus 2104', group: group.group, presence: 'offline' });

  const identity = { serial, mac, secret: router!.secret, model: 'HR-500' };
  const backoff = { minMs: 10, maxMs: 50, rejectedMs: 100, serverRestartMs: 100 };
  agent = startAgent({ server: server.url.replace('http', 'ws'), router: identity, timing: { backoff, bootMs: 50 } });
  await expect.poll(async () => (await show()).presence).toBe('online');
  const file = new File(['ntp = pool.example\n'], 'north.cfg');
  const { result: config } = await call<{ result: { pk: string } }>('configsUpload', { note: 'North', file });
  await call('bindingsConfig', { group: group.group, config: config.pk, schedule: 'immediate' });
  const { result: rollouts } = await call<{ result: { id: string }[] }>('rolloutsList', { group: group.group });
  const targets = async () => (await call<{ result: unknown }>('rolloutsTargets', rollouts[0]!.id)).result;
  await expect.poll(targets).toMatchObject([{ serial_number: serial, state: 'successful' }]);

  expect(await call<string>('devicesExport', { columns: 'serial,vehicle' })).toContain(`${serial},Bus 2104`);
  expect(await call('devicesDelete', { devices: [device] })).toEqual({ result: { deleted: 1 } });
  await call('accountsSignOut', {});
  expect((await client['devicesList']!({ limit: 1 })).status).toBe(401);
});

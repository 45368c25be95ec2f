import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { rollouts } from '@highline/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { send, until } from '../../testing/call.ts';
import { openEventStream } from '../../testing/event-stream.ts';
import { beginRequest } from '../../testing/raw-request.ts';
import { isPortClosed, openRemoteFixture, type RemoteFixture } from '../../testing/remote-fixture.ts';

// A person whom the directory deactivates in the middle of something, over real sockets.

let fixture: RemoteFixture;
let secret: string;

beforeAll(async () => {
  fixture = await openRemoteFixture({ remote: { offlineMs: 0, watchMs: 300 } });
  const made = await send(`${fixture.server.url}/data_manager/v1/dm/scim/secrets`, {
    bearer: fixture.bearer,
    body: { name: 'Directory', days: 30 },
  });
  ({ secret } = made.json<{ secret: string }>());
});
afterAll(() => fixture.close());

async function deactivate(id: string): Promise<void> {
  const response = await send(`${fixture.server.url}/scim/v2/Users/${id}`, {
    method: 'PATCH',
    bearer: secret,
    body: { Operations: [{ op: 'replace', path: 'active', value: false }] },
  });
  expect(response.status, response.text).toBe(200);
}

test('IAM-02 a tunnel, its port and the stream of who is deactivated end', async () => {
  const person = await fixture.another();
  const device = await fixture.scripted();
  const opened = await fixture.call('connectDevice', device, 'ssh', person.bearer);
  const { port } = opened.json<{ port: number }>();
  const socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => {});
  const out = once(socket, 'close');
  socket.write('hello');
  await once(socket, 'data');
  const stream = await openEventStream(fixture.server.url, person.bearer);
  await deactivate(person.id);
  await Promise.all([out, stream.ended]);
  expect(['signed-out', 'permission-lost']).toContain(await fixture.ended(device));
  expect(await isPortClosed(port)).toBe(true);
  await until(() => !device.router.hasTunnel);
});

test('IAM-02 an upload of who is deactivated meanwhile stores nothing', async () => {
  const person = await fixture.another();
  const boundary = 'b0undary';
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `${field('org', fixture.scope.organizationId)}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n`;
  const rest = `MAC,Vehicle Number\r\n\r\n--${boundary}--\r\n`;
  const headers = {
    authorization: `Bearer ${person.bearer}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + rest.length,
    connection: 'close',
  };
  const path = '/data_manager/v1/dm/config';
  const { socket, response } = beginRequest(fixture.server.url, { method: 'POST', path, headers }, head);
  await deactivate(person.id);
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  socket.write(rest);
  expect((await response).status).toBe(401);
  later.mockRestore();
  socket.destroy();
});

test('IAM-02 a rollout of who is deactivated in the middle of it goes on: it belongs to the organization', async () => {
  const { server, scope } = fixture;
  const person = await fixture.another();
  const group = await server.seeding.group(scope, 'Depot of the rollout');
  const config = await server.seeding.config(scope, { name: 'rollout.cfg' });
  const { method, path } = rollouts.bindConfig;
  const body = { org: scope.organizationId, group, config, schedule: 'immediate' };
  const bound = await send(`${server.url}${path}`, { method, bearer: person.bearer, body });
  expect(bound.status, bound.text).toBe(200);
  const state = async () => (await server.owner.query('select state, ended_at from bindings where group_key = $1', [group])).rows;
  const before = await state();
  await deactivate(person.id);
  expect((await send(`${server.url}${path}`, { method, bearer: person.bearer, body })).status).toBe(401);
  expect(before).toHaveLength(1);
  expect(await state()).toEqual(before);
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest';
import { CallFailed, Client, ServerUnreachable, type AnswerOf, type RowOf } from './index.ts';
import { retryAfterOf } from './retries.ts';

interface Received {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Step = (response: ServerResponse) => void;

let server: Server;
let url: string;
let received: Received[];
/** What the server does with each request, in their order; the last one again for all others. */
let steps: Step[];

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    const answer = (body: string) => {
      const step = steps[Math.min(received.length, steps.length - 1)]!;
      received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      step(response);
    };
    void text(request).then(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const later = (status: number, key: string, seconds: string) =>
  json(status, { error: { code: status, key, message: 'Later.' } }, { 'retry-after': seconds });
const client = (retries = {}) => new Client({ server: url, key: 'hlk_test', retries });

test('HKS-03-partial a call is sent with path, query, body and key, and is typed by the contract', async () => {
  steps = [json(200, { result: [], total: 0 })];
  const page = await client().call('devices.list', { query: { limit: 5, search: 'Bus 1&2' } });
  expectTypeOf(page.result).toEqualTypeOf<AnswerOf<'devices.list'>['result']>();
  expectTypeOf<RowOf<'devices.list'>['serial_number']>().toEqualTypeOf<string>();
  // @ts-expect-error -- a limit is a number
  await client().call('devices.list', { query: { limit: 'five' } });
  // @ts-expect-error -- the group is missing
  await expect(client().call('groups.save', { params: {} })).rejects.toThrow('groups.save: params.group is missing.');
  await client().call('groups.save', { params: { group: 'a/b?c' }, body: { name: 'North' } });
  expect(received.map(({ line }) => line)).toEqual([
    'GET /data_manager/v1/dm/devices?limit=5&search=Bus+1%262',
    'GET /data_manager/v1/dm/devices?limit=five',
    'PATCH /data_manager/v1/dm/group/a%2Fb%3Fc',
  ]);
  expect([received[0]!.headers.authorization, received[2]!.headers['content-type'], received[2]!.body]).toEqual([
    'Bearer hlk_test',
    'application/json',
    '{"name":"North"}',
  ]);
});

test('HKS-03-partial a failure has status, key, field and detail, and is not repeated', async () => {
  steps = [
    json(400, {
      error: { code: 400, key: 'request.invalid', message: 'limit: is wrong', field: 'limit', detail: { most: 200 } },
    }),
  ];
  const failure = await client()
    .call('devices.list')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CallFailed);
  expect(failure).toMatchObject({
    status: 400,
    key: 'request.invalid',
    message: 'limit: is wrong',
    field: 'limit',
    detail: { most: 200 },
    retryAfter: undefined,
  });
  expect(received.length).toBe(1);
});

test('HKS-03-partial a call that was not done is sent again after Retry-After, with the same Idempotency-Key', async () => {
  steps = [
    later(429, 'request.rate_limited', '0'),
    later(503, 'server.busy', '0'),
    later(409, 'idempotency.running', '0'),
    json(200, { result: {} }),
  ];
  await client().call('groups.create', { body: { name: 'North' } });
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/u);
  await client().call('groups.create', { body: { name: 'North' } }, { idempotencyKey: 'mine' });
  expect(received.at(-1)!.headers['idempotency-key']).toBe('mine');
});

test('HKS-03-partial a call whose answer was lost is sent again, but never a call that could be done twice', async () => {
  const cut: Step = (response) =>
    response.writeHead(200, { 'content-length': '50' }).write('{"result":', () => response.destroy());
  steps = [cut, json(200, { result: [{ serial_number: 'A' }] })];
  expect((await client().call('devices.list')).result[0]!.serial_number).toBe('A');
  steps = [cut];
  received = [];
  const body = { email: 'a@b.example', password: 'x' };
  await expect(client().call('accounts.signIn', { body })).rejects.toBeInstanceOf(ServerUnreachable);
  expect(received.length).toBe(1);
});

test('HKS-03-partial it gives up after the repetitions that it may make, and at once when it would wait for too long', async () => {
  steps = [later(503, 'server.busy', '0')];
  await expect(client({ most: 2 }).call('devices.list')).rejects.toMatchObject({ status: 503, retryAfter: 0 });
  expect(received.length).toBe(3);
  steps = [later(429, 'request.rate_limited', '3600')];
  received = [];
  await expect(client().call('devices.list')).rejects.toMatchObject({ status: 429, retryAfter: 3_600 });
  expect(received.length).toBe(1);
  expect(retryAfterOf('Mon, 23 Nov 2026 12:00:30 GMT', Date.UTC(2026, 10, 23, 12))).toBe(30);
  expect([retryAfterOf('soon', 0), retryAfterOf(null, 0)]).toEqual([undefined, undefined]);
});

test('HKS-03-partial an aborted call ends at once, also while it waits', async () => {
  steps = [later(503, 'server.busy', '100')];
  const abort = new AbortController();
  const call = client().call('devices.list', {}, { signal: abort.signal });
  await expect.poll(() => received.length).toBe(1);
  abort.abort(new Error('No longer needed.'));
  await expect(call).rejects.toThrow('No longer needed.');
});

test('HKS-03-partial a redirect is not followed: the key would go to another address', async () => {
  steps = [(response) => response.writeHead(308, { location: 'https://elsewhere.example/' }).end()];
  await expect(client().call('devices.list')).rejects.toThrow(
    'redirects to https://elsewhere.example/. Use that address as the server.',
  );
  expect(() => new Client({ server: 'ftp://fleet.example' })).toThrow('http:// or https://');
});

test('HKS-03-partial pages follow their cursors and are fetched as rows are needed', async () => {
  steps = [
    json(200, { result: [1, 2], next: 'n1' }),
    json(200, { result: [3], next: 'n 2' }),
    json(200, { result: { list: [4] }, next: null }),
  ];
  const rows: unknown[] = [];
  for await (const row of client().each('devices.list', { query: { search: 'Bus' } })) {
    rows.push(row);
    if (rows.length === 2) expect(received.length).toBe(1);
  }
  expect(rows).toEqual([1, 2, 3, 4]);
  expect(received.map(({ line }) => line.split('?')[1])).toEqual([
    'limit=200&search=Bus',
    'limit=200&search=Bus&cursor=n1',
    'limit=200&search=Bus&cursor=n+2',
  ]);
});

test('HKS-03-partial a file is read as it arrives, with its name; an upload has its fields before the file', async () => {
  let write: (text: string) => void = () => {};
  let end: () => void = () => {};
  steps = [
    (response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="Devices_export.csv"` });
      write = (piece) => response.write(piece);
      end = () => response.end();
      write('a,b\n');
    },
    json(200, { result: {} }),
  ];
  const { name, type, body } = await client().download('devices.export');
  const reader = body.getReader();
  expect([name, type, new TextDecoder().decode((await reader.read()).value)]).toEqual([
    'Devices_export.csv',
    'text/csv',
    'a,b\n',
  ]);
  write('1,2\n');
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('1,2\n');
  end();
  expect((await reader.read()).done).toBe(true);
  await client().call('configs.upload', { body: { note: 'First' }, file: new Blob(['text']), fileName: 'router.cfg' });
  expect(received[1]!.body).toMatch(/name="note"[^]+First[^]+name="file"; filename="router\.cfg"[^]+text/u);
});

test('HKS-03-partial events are read across chunks, and a lost connection goes on where it was', async () => {
  const event = (id: number) => `id: ${id}\r\nevent: devices\r\ndata: {"topic":"devices","ids":["${id}"],"org":null}\r\n\r\n`;
  const stream =
    (...pieces: string[]): Step =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces) response.write(piece);
      response.end();
    };
  steps = [
    stream(': hello\n\n', event(1).slice(0, 20), event(1).slice(20)),
    stream(event(2)),
    json(401, { error: { code: 401, key: 'key.revoked', message: 'Revoked.' } }),
  ];
  const ids: string[] = [];
  const reading = (async () => {
    for await (const {
      ids: [id],
    } of client().events('live.stream'))
      ids.push(id!);
  })();
  await expect(reading).rejects.toMatchObject({ key: 'key.revoked' });
  expect([ids, received.map(({ headers }) => headers['last-event-id'])]).toEqual([
    ['1', '2'],
    [undefined, '1', '2'],
  ]);
});

test('HKS-03-partial what is read tells its event id, a list that of its first page; the stream begins after it', async () => {
  const at = (id: string, body: unknown) => json(200, body, { 'highline-event-id': id });
  steps = [
    later(503, 'server.busy', '0'),
    at('41', { result: [{ serial_number: 'A' }], total: 2, next: 'more' }),
    at('45', { result: [{ serial_number: 'B' }], total: 2, next: null }),
    json(401, { error: { code: 401, key: 'key.revoked', message: 'Revoked.' } }),
  ];
  const ids: string[] = [];
  const serials: string[] = [];
  const onEventId = (id: string) => void ids.push(id);
  for await (const device of client().each('devices.list', {}, { onEventId })) serials.push(device.serial_number);
  expect([ids, serials]).toEqual([['41'], ['A', 'B']]);
  const stream = client().events('live.stream', { query: { after: ids[0]! } });
  await expect(stream.next()).rejects.toMatchObject({ key: 'key.revoked' });
  expect(received.at(-1)!.line).toBe('GET /data_manager/v1/events?after=41');
  // A fault of the program is its own, and is not taken for one of the network.
  steps = [at('50', { result: [], total: 0 })];
  const fault = () => {
    throw new Error('of the program');
  };
  await expect(client().call('devices.list', {}, { onEventId: fault })).rejects.toThrow('of the program');
});

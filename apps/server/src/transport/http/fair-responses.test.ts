import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { send } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

// Two tenants at one real server over real sockets: the running or unread calls of one tenant limit only its own.

interface Tenant {
  readonly scope: OrganizationScope;
  /** Bearers of a plain user and of an admin. */
  readonly user: string;
  readonly admin: string;
}

let server: TestServer;
let ours: Tenant;
let other: Tenant;

beforeAll(async () => {
  server = await startTestServer();
  [ours, other] = [await openTenant('Ours'), await openTenant('Other')];
  // An export of some 23 MB: more than the buffers of both ends of a connection hold.
  await server.owner.query(
    `insert into audit_entries select $1, 1000000 + n, now(), null, repeat('x', 4500) || n, 'user', '192.0.2.1', 'account.signed_in',
      'account', n::text, '{}', '\\x00', '\\x00' from generate_series(1, 5000) n`,
    [other.scope.organizationId],
  );
});
afterAll(() => server.close());

async function openTenant(name: string): Promise<Tenant> {
  const { scope: main } = await server.seeding.mainAccount(name);
  const scope = await server.seeding.organization(main, name);
  const bearerOf = async (role: 'admin' | 'user') =>
    server.seeding.bearer(await server.seeding.account(scope, `${newId()}@fair.invalid`, role));
  return { scope, user: await bearerOf('user'), admin: await bearerOf('admin') };
}

const EXPORT = '/data_manager/v1/operation_log/export';

/** Request a file and read nothing of it. */
async function askAndStall(path: string, bearer: string): Promise<IncomingMessage> {
  const sent = request(new URL(path, server.url), { headers: { authorization: `Bearer ${bearer}` }, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function readToEnd(response: IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const chunk of response) for (const byte of chunk as Buffer) if (byte === 10) lines += 1;
  return lines;
}

test('SHR-08-partial a user of one organization who opens many exports without reading them delays no other organization', async () => {
  const stalled = await Promise.all(Array.from({ length: 4 }, () => askAndStall(EXPORT, other.user)));
  expect(stalled.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 4 }, () => 200));
  for (const path of [
    '/data_manager/v1/dm/devices',
    '/data_manager/v1/dm/group',
    '/data_manager/v1/dm/group/export',
    EXPORT,
    '/data_manager/v1/dm/devices/export',
  ])
    expect([path, (await send(server.url + path, { bearer: ours.admin })).status]).toEqual([path, 200]);
  // None of them had to be cut off: each is complete when it is finally read.
  expect(stalled.every(({ aborted, destroyed }) => !aborted && !destroyed)).toBe(true);
  for (const response of stalled) expect(await readToEnd(response)).toBeGreaterThan(5_000);
});

test('SHR-08-partial more open exports than allowed per account are rejected with 429 and Retry-After', async () => {
  const responses = await Promise.all(Array.from({ length: 30 }, () => askAndStall(EXPORT, other.user)));
  const rejected = responses.filter(({ statusCode }) => statusCode === 429);
  const given = responses.filter(({ statusCode }) => statusCode === 200).length;
  expect([given <= 12, given + rejected.length]).toEqual([true, 30]);
  for (const { headers } of rejected) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['content-disposition']).toBeUndefined();
  }
  expect((await send(server.url + EXPORT, { bearer: ours.user })).status).toBe(200);
  for (const response of responses) response.destroy();
});

test('RPT-01-partial thirty workbooks of one admin do not keep another organization from a workbook or a chart', async () => {
  const workbook = '/data_manager/api/v1/records/export?format=xlsx';
  const many = Array.from({ length: 30 }, () => send(server.url + workbook, { bearer: other.admin }));
  await Promise.race(many);
  const { status, headers } = await send(server.url + workbook, { bearer: ours.user });
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('spreadsheet')]);
  expect((await send(`${server.url}/data_manager/api/v1/records?limit=10`, { bearer: ours.user })).status).toBe(200);
  const responses = await Promise.all(many);
  expect(
    responses.filter((response) => response.status !== 200 && response.status !== 429).map((response) => response.text),
  ).toEqual([]);
  for (const response of responses.filter((each) => each.status === 429)) expect(response.headers.get('retry-after')).toBe('10');
});

describe('CSV imports', () => {
  const csv = (rows: number) => `SN,MAC,Start Date,Expiry Date\n${'x,y,01/01/2026,12/31/2027\n'.repeat(rows)}`;
  const importAs = async (bearer: string, content: string) => {
    const form = new FormData();
    form.append('file', new Blob([content]), 'devices.csv');
    const headers = { authorization: `Bearer ${bearer}` };
    const response = await fetch(`${server.url}/data_manager/v1/dm/devices/batch?dryRun=true`, {
      method: 'POST',
      headers,
      body: form,
    });
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
  };

  test('DEV-05-partial one account runs one import at a time and a few wait; the others get 429, and another tenant is served', async () => {
    const content = csv(90_000);
    const many = Array.from({ length: 16 }, () => importAs(other.admin, content));
    const ourResponse = await importAs(ours.admin, csv(3));
    expect([ourResponse.status, ourResponse.text]).toEqual([400, expect.stringContaining('None of the rows could be added.')]);
    const responses = await Promise.all(many);
    const rejected = responses.filter(({ status }) => status === 429);
    expect(rejected.length).toBeGreaterThanOrEqual(10);
    expect(responses.filter(({ status }) => status === 400).length + rejected.length).toBe(16);
    for (const { retryAfter } of rejected) expect(Number(retryAfter)).toBeGreaterThan(0);
  });

  test('DEV-05-partial a file of delimiters is cheap: it is rejected as too large, 16 at a time', async () => {
    const responses = await Promise.all(Array.from({ length: 16 }, () => importAs(other.admin, ','.repeat(8_000_000))));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 413 && status !== 429)).toEqual([]);
    expect(statuses).toContain(413);
  });
});

test('a forbidden call with a small body is answered, not cut off, and the connection stays open', async () => {
  const form = new FormData();
  form.append('file', new Blob(['x'.repeat(200_000)]), 'devices.csv');
  for (let index = 0; index < 20; index++) {
    const headers = { authorization: `Bearer ${other.user}` };
    const response = await fetch(`${server.url}/data_manager/v1/dm/devices/batch`, { method: 'POST', headers, body: form });
    expect([response.status, ((await response.json()) as { error: { key: string } }).error.key]).toEqual([
      403,
      'permission.denied',
    ]);
    expect(response.headers.get('connection')).not.toBe('close');
  }
});

test('no answer of a call is cached, and neither is a rejection', async () => {
  const paths = ['/data_manager/v1/dm/devices', '/data_manager/v1/dm/device?device=none', EXPORT, '/somewhere'];
  for (const path of paths) {
    const { headers } = await send(server.url + path, { bearer: ours.admin });
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
  }
  const signIn = await send(`${server.url}/dmp_aa/api/v1/auth/token`, {
    body: { email: 'unknown@fair.invalid', password: 'x'.repeat(12) },
  });
  expect(signIn.headers.get('cache-control')).toBe('no-store');
});

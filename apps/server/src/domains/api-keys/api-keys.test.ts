import { request, type IncomingMessage } from 'node:http';
import type { apiKeys } from '@highline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/index.ts';
import { createMovingClock, send, until, type Responded } from '../../testing/call.ts';
import { openEventStream } from '../../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { purgeKeys } from './index.ts';

const KEYS = '/data_manager/v1/dm/api_keys';
const COMMANDS = '/data_manager/v1/dm/commands';
const HOUR = 3_600_000;

const clock = createMovingClock(new Date().toISOString());
let server: TestServer;
let home: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let adminId: string;
let admin: string;
let main: string;

beforeAll(async () => {
  server = await startTestServer({ clock, trustedProxies: ['127.0.0.1'] });
});
afterAll(() => server.close());

let number = 0;
beforeEach(async () => {
  number += 1;
  const { scope, actor } = await server.seeding.mainAccount('Home');
  home = scope;
  main = await server.seeding.bearer(actor.accountId);
  own = await server.seeding.organization(home, `Own ${number}`);
  sibling = await server.seeding.organization(home, `Sibling ${number}`);
  adminId = await server.seeding.account(own, `keys-${number}@highline.invalid`, 'admin');
  admin = await server.seeding.bearer(adminId);
});

interface Minted {
  readonly result: apiKeys.ApiKey;
  readonly secret: string;
}

const call = (path: string, bearer: string, body?: unknown, more: Parameters<typeof send>[1] = {}) =>
  send(`${server.url}${path}`, { bearer, ...(body !== undefined && { body }), ...more });

async function mint(input: object = {}, bearer = admin): Promise<Minted> {
  const response = await call(KEYS, bearer, {
    name: 'Sync',
    operations: ['commands.list', 'commands.add', 'live.stream'],
    ...input,
  });
  expect(response.status, response.text).toBe(200);
  return response.json<Minted>();
}

const list = (secret: string, headers?: Record<string, string>) =>
  call(COMMANDS, secret, undefined, headers === undefined ? {} : { headers });
const add = (secret: string, name: string) => call(COMMANDS, secret, { name, kind: 'reboot' });
const keyOf = (response: Responded) => [response.status, response.error().key];
const listed = async (bearer = admin, query = '') =>
  (await call(`${KEYS}?limit=50${query}`, bearer)).json<{ result: apiKeys.ApiKey[] }>().result;
const revoke = (id: string, bearer = admin) => call(`${KEYS}/${id}`, bearer, {}, { method: 'DELETE' });

/** A multipart upload whose file is not complete until `finish`. */
function beginUpload(secret: string, name: string) {
  const boundary = 'end-of-part';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="config"; filename="${name}"\r\n\r\nfirst line\n`;
  const upload = request(`${server.url}/data_manager/v1/dm/config`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  const responded = new Promise<[number | undefined, string]>((resolve, reject) => {
    const read = async (response: IncomingMessage): Promise<void> => {
      const { error } = JSON.parse(Buffer.concat(await response.toArray()).toString('utf8'));
      resolve([response.statusCode, error?.key]);
    };
    upload.on('error', reject).on('response', (response) => void read(response).catch(reject));
  });
  upload.write(head);
  return { responded, finish: () => upload.end(`last line\n\r\n--${boundary}--\r\n`) };
}

describe('HKS-02 API keys', () => {
  test('HKS-02-partial a key is shown once, stored as a hash, and makes exactly the calls it was allowed', async () => {
    const { result, secret } = await mint();
    expect(result).toMatchObject({
      name: 'Sync',
      state: 'active',
      by: `keys-${number}@highline.invalid`,
      lastUsed: null,
      ranges: [],
    });
    expect(result.operations).toEqual(['commands.add', 'commands.list', 'live.stream']);
    const { rows } = await server.owner.query('select k::text as row from api_keys k where id = $1', [result.id]);
    expect(rows[0].row).not.toContain(secret.slice(8, -4));
    expect(JSON.stringify(await listed())).not.toContain(secret.slice(8, -4));
    expect((await add(secret, 'By key')).status).toBe(200);
    expect((await list(secret)).text).toContain('By key');
    const other = await call('/data_manager/v1/dm/devices', secret);
    expect([...keyOf(other), other.error().detail]).toEqual([403, 'key.not_allowed', { operation: 'devices.list' }]);
    // Not as a cookie, which a browser would send with any request.
    expect((await send(`${server.url}${COMMANDS}`, { cookie: `vap=${secret}` })).status).toBe(401);
    const entry = (await call('/data_manager/v1/operation_log?limit=5', admin)).json<{
      result: { subject: string; key: string }[];
    }>();
    expect(entry.result.find(({ subject }) => subject === 'Added command By key')?.key).toBe(`Sync (${result.hint})`);
    expect(entry.result.find(({ subject }) => subject === 'Created API key Sync')?.key).toBeNull();
    const file = await call('/data_manager/v1/operation_log/evidence', admin);
    expect(file.text).toContain(`"actorKey":"Sync (${result.hint})"`);
  });

  test('HKS-02-partial the last use is written, but not with each call', async () => {
    const { result, secret } = await mint();
    const used = async () => (await listed()).find(({ id }) => id === result.id)!;
    await list(secret, { 'x-forwarded-for': '203.0.113.9' });
    const first = await used();
    expect(first).toMatchObject({ lastUsed: clock.now().toISOString(), lastAddress: '203.0.113.9' });
    clock.advance(60_000);
    await list(secret);
    expect((await used()).lastUsed).toBe(first.lastUsed);
    clock.advance(300_000);
    await list(secret);
    expect((await used()).lastUsed).toBe(clock.now().toISOString());
  });

  test('HKS-02-partial a key of a foreign network, an expired, cut or unknown one is rejected with what to do', async () => {
    const { secret } = await mint({ ranges: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (address: string) => list(secret, { 'x-forwarded-for': address });
    for (const address of ['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.7'])
      expect((await from(address)).status, address).toBe(200);
    for (const address of ['203.0.114.1', '2001:db9::1', '127.0.0.1'])
      expect(keyOf(await from(address)), address).toEqual([403, 'key.network']);
    expect(keyOf(await list(secret.slice(0, -1)))).toEqual([401, 'key.malformed']);
    expect(keyOf(await list('hlk_'))).toEqual([401, 'key.malformed']);
    const gone = await mint();
    await server.owner.query('delete from api_keys where id = $1', [gone.result.id]);
    expect(keyOf(await list(gone.secret))).toEqual([401, 'key.unknown']);
    const short = await mint({ expires: new Date(clock.now().getTime() + HOUR).toISOString() });
    expect((await list(short.secret)).status).toBe(200);
    clock.advance(HOUR);
    expect(keyOf(await list(short.secret))).toEqual([401, 'key.expired']);
    expect((await listed()).find(({ id }) => id === short.result.id)?.state).toBe('expired');
    expect(keyOf(await revoke(short.result.id))).toEqual([409, 'key.ended']);
    // What is wrong with the request that creates one.
    const create = async (input: object) => keyOf(await call(KEYS, admin, { name: 'x', operations: ['devices.list'], ...input }));
    expect(await create({ ranges: ['203.0.113.0/33'] })).toEqual([400, 'key.range_invalid']);
    expect(await create({ expires: '2020-01-01T00:00:00Z' })).toEqual([400, 'key.expiry_past']);
    expect(await create({ operations: ['apiKeys.create'] })).toEqual([400, 'key.operation_unknown']);
    expect(await create({ operations: ['inventory.add'] })).toEqual([400, 'key.operation_unknown']);
    expect(await create({ operations: [] })).toEqual([400, 'request.invalid']);
    expect(await create({ name: '' })).toEqual([400, 'request.invalid']);
  });

  test('HKS-02-partial rotation: both keys work for the chosen hours, then only the new one', async () => {
    const { result, secret } = await mint();
    const rotated = (await call(`${KEYS}/${result.id}/rotate`, admin, { overlapHours: 2 })).json<Minted>();
    expect(rotated.result).toMatchObject({ id: result.id, operations: result.operations });
    expect(rotated.result.previousUntil).toBe(new Date(clock.now().getTime() + 2 * HOUR).toISOString());
    for (const each of [secret, rotated.secret]) expect((await list(each)).status).toBe(200);
    clock.advance(2 * HOUR);
    expect(keyOf(await list(secret))).toEqual([401, 'key.unknown']);
    expect((await list(rotated.secret)).status).toBe(200);
    const at = (await call(`${KEYS}/${result.id}/rotate`, admin, { overlapHours: 0 })).json<Minted>();
    expect(keyOf(await list(rotated.secret))).toEqual([401, 'key.unknown']);
    expect((await list(at.secret)).status).toBe(200);
  });

  test('HKS-02-partial a revoked key is rejected at once: its streams end, and a call that has begun changes nothing more', async () => {
    const { result, secret } = await mint({ operations: ['commands.list', 'configs.upload', 'live.stream'] });
    const stream = await openEventStream(server.url, secret);
    expect(stream.status).toBe(200);
    // An upload that began with a valid key: its last part arrives when the key is revoked.
    const { finish, responded } = beginUpload(secret, 'late.cfg');
    await until(async () => (await listed()).find(({ id }) => id === result.id)?.lastUsed !== null);
    expect((await revoke(result.id)).status).toBe(200);
    finish();
    expect(await responded).toEqual([401, 'key.revoked']);
    expect((await call('/data_manager/v1/dm/config?limit=10', admin)).text).not.toContain('late.cfg');
    for (;;) if ((await stream.next()).event === 'ended') break;
    expect(keyOf(await list(secret))).toEqual([401, 'key.revoked']);
    expect((await listed()).find(({ id }) => id === result.id)?.state).toBe('revoked');
    stream.close();
  });

  test('HKS-02-partial a key can do no more than its maker can now', async () => {
    const { result, secret } = await mint();
    const roles = (...texts: string[]) => server.owner.query('update accounts set roles = $2 where id = $1', [adminId, texts]);
    const { rows } = await server.owner.query<{ roles: string[] }>('select roles from accounts where id = $1', [adminId]);
    const before = rows[0]!.roles;
    await roles(...before.map((role) => role.replace('super', 'vendor')));
    expect((await list(secret)).status).toBe(200);
    expect(keyOf(await add(secret, 'As a user'))).toEqual([403, 'permission.denied']);
    await roles();
    expect(keyOf(await list(secret))).toEqual([401, 'key.suspended']);
    expect((await listed(main, `&org=${own.organizationId}`)).find(({ id }) => id === result.id)?.state).toBe('suspended');
    await roles(...before);
    expect((await list(secret)).status).toBe(200);
    // Who rotates it is its maker from then on: a key of a person who left can go on.
    await server.owner.query('delete from accounts where id = $1', [adminId]);
    expect(keyOf(await list(secret))).toEqual([401, 'key.suspended']);
    const rotated = (await call(`${KEYS}/${result.id}/rotate`, main, { org: own.organizationId })).json<Minted>();
    expect((await list(rotated.secret)).status).toBe(200);
    expect(keyOf(await list(secret))).toEqual([401, 'key.suspended']);
  });

  test('HKS-02-partial IAM-04-partial the former secret of a rotated key does what its maker may, and no more', async () => {
    const otherId = await server.seeding.account(own, `rotates-${number}@highline.invalid`, 'admin');
    const other = await server.seeding.bearer(otherId);
    const group = await server.seeding.group(own, 'North');
    const router = (each: number) => ({
      serial: `K${number}-${each}`,
      mac: `00B3${String(number * 10 + each).padStart(8, '0')}`,
    });
    await server.seeding.routers(home, [router(1), router(2)]);
    const [inside, outside] = await server.seeding.devices(own, [{ ...router(1), group }, router(2)]);
    const operations = ['devices.list', 'devices.save', 'commands.list', 'commands.add'];
    const { result, secret } = await mint({ operations });
    const limit = (limitedTo: object | null) =>
      call(`/dmp_aa/api/v1/accounts/${adminId}/limit`, other, { limitedTo }, { method: 'PUT' });
    expect((await limit({ groups: [group], tags: [] })).status).toBe(200);
    const rotated = (await call(`${KEYS}/${result.id}/rotate`, other, {})).json<Minted>();

    const seen = async (key: string) =>
      (await call('/data_manager/v1/dm/devices?limit=10&sort=serial', key))
        .json<{ result: { device: string }[] }>()
        .result.map(({ device }) => device);
    const note = async (key: string, device: string) =>
      (await call('/data_manager/v1/dm/device', key, { device, note: key.slice(-4) }, { method: 'PATCH' })).status;
    expect(await seen(secret)).toEqual([inside]);
    expect([await note(secret, inside!), await note(secret, outside!)]).toEqual([200, 404]);
    expect(await seen(rotated.secret)).toEqual([inside, outside]);
    expect(await note(rotated.secret, outside!)).toBe(200);

    const setRoles = (roles: string[]) => server.owner.query('update accounts set roles = $2 where id = $1', [adminId, roles]);
    expect((await limit(null)).status).toBe(200);
    expect(await seen(secret)).toEqual([inside, outside]);
    const { rows } = await server.owner.query<{ roles: string[] }>('select roles from accounts where id = $1', [adminId]);
    await setRoles(rows[0]!.roles.map((role) => role.replace('super', 'vendor')));
    expect(keyOf(await add(secret, 'As a user'))).toEqual([403, 'permission.denied']);
    await setRoles([]);
    expect(keyOf(await list(secret))).toEqual([401, 'key.suspended']);
    expect((await add(rotated.secret, 'As an admin')).status).toBe(200);
    // With the next rotation it is the secret of who rotated last that ends later.
    const last = (await call(`${KEYS}/${result.id}/rotate`, main, { org: own.organizationId })).json<Minted>();
    expect(keyOf(await list(secret))).toEqual([401, 'key.unknown']);
    for (const each of [rotated.secret, last.secret]) expect((await list(each)).status).toBe(200);
    await server.owner.query('delete from accounts where id = $1', [otherId]);
    expect(keyOf(await list(rotated.secret))).toEqual([401, 'key.suspended']);
    expect((await list(last.secret)).status).toBe(200);
  });

  test('HKS-02-partial a key of a main account reaches its organizations; one limited to an organization stays there', async () => {
    const operations = ['commands.list', 'organizations.list', 'organizations.devices'];
    const whole = await mint({ operations }, main);
    const limited = await mint({ org: own.organizationId, operations }, main);
    const of = (secret: string, { organizationId: org }: OrganizationScope) => list2(secret, org);
    const list2 = (secret: string, org: string) => call(`${COMMANDS}?org=${org}`, secret);
    expect([(await of(whole.secret, own)).status, (await of(whole.secret, sibling)).status]).toEqual([200, 200]);
    expect([(await of(limited.secret, own)).status, (await of(limited.secret, sibling)).status]).toEqual([200, 404]);
    expect((await list(limited.secret)).status).toBe(200);
    const shown = await call('/dmp_aa/api/v1/services/', limited.secret);
    expect(shown.text).toContain(own.organizationId);
    expect(shown.text).not.toContain(sibling.organizationId);
    const ids = (await listed(main)).map(({ id, org }) => [id, org]);
    expect(ids).toEqual(
      expect.arrayContaining([
        [whole.result.id, null],
        [limited.result.id, own.organizationId],
      ]),
    );
    expect((await listed()).map(({ id }) => id)).toEqual([limited.result.id]);
    expect(keyOf(await revoke(whole.result.id))).toEqual([404, 'key.not_found']);
  });

  test('HKS-02-partial keys end with their organization, are at most fifty, and ended ones are deleted after 90 days', async () => {
    const first = await mint({ org: own.organizationId, operations: ['commands.list'] }, main);
    for (let count = 1; count < 50; count += 1) await mint();
    expect(keyOf(await call(KEYS, admin, { name: 'x', operations: ['devices.list'] }))).toEqual([409, 'key.too_many']);
    const deleted = await call('/data_manager/v1/dm/org', main, { org: own.organizationId }, { method: 'DELETE' });
    expect(deleted.status, deleted.text).toBe(200);
    expect(keyOf(await list(first.secret))).toEqual([401, 'key.revoked']);
    const count = async () => {
      const { rows } = await server.owner.query('select count(*)::int as n from api_keys where organization_id = $1', [
        own.organizationId,
      ]);
      return rows[0].n;
    };
    await purgeKeys(server.database, new Date(clock.now().getTime() + 89 * 24 * HOUR));
    expect(await count()).toBe(50);
    await purgeKeys(server.database, new Date(clock.now().getTime() + 91 * 24 * HOUR));
    expect(await count()).toBe(0);
  });
});

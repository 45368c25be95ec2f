import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limitedSummaryKinds, summaryKinds, visits } from '@highline/contract';
import { until } from '../testing/call.ts';
import { inject } from '../testing/inject.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { buildTenants, type Tenant } from '../testing/tenants.ts';

// IAM-04: what a limited person has begun goes on within the limit that this person has then (decisions/0162).

let server: TestServer;
/** Two halves of one organization. */
let own: Tenant;
let other: Tenant;
/** Another organization of the same main account. */
let sibling: Tenant;
/** An admin who is limited to `own`. */
let limited: string;
/** The person who calls: that admin, or a guest. */
let bearer: string;
let org: string;

beforeAll(async () => {
  server = await startTestServer({ offlineSeconds: 3_600 });
  const tenants = await buildTenants(server.seeding);
  sibling = tenants.sibling;
  own = tenants.own;
  other = await tenants.secondGroupOf(own);
  org = own.organizationId;
  for (const { groupKey, looseDeviceId } of [own, other])
    await server.owner.query('update devices set group_key = $1 where id = $2', [groupKey, looseDeviceId]);
  limited = await server.seeding.bearer(own.users.admin);
  bearer = limited;
  await limit([own.groupKey]);
});
afterAll(() => server.close());

const limit = (groups: readonly string[], tags: readonly string[] = []) => limitTo({ groups, tags });
const limitTo = (limitedTo: object | null) =>
  inject(server, 'PUT', `/dmp_aa/api/v1/accounts/${own.users.admin}/limit`, {
    as: { sessionId: other.bearers.admin },
    body: { limitedTo },
  });
interface Parts {
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
}

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, parts: Parts = {}) =>
  inject(server, method, `/data_manager/v1/dm/${path}`, {
    as: { sessionId: bearer },
    ...(parts.body && { body: { org, ...parts.body } }),
    query: { org, ...parts.query },
  });
const read = async (id: string) => (await call('GET', `jobs/${id}`)).json.result;
const tagsOf = async (id: string): Promise<string[]> =>
  (await server.owner.query<{ tags: string[] }>('select tags from devices where id = $1', [id])).rows[0]!.tags;

/** Have a job of the limited admin wait for its next batch, with a device of each half. */
async function prepareJob(action: object): Promise<string> {
  const { json, text } = await call('POST', 'jobs', {
    body: { action: { kind: 'tags', add: ['begun'] }, selection: { devices: [own.deviceId] } },
  });
  const id = json.result?.id as string;
  expect(id, text).toBeTruthy();
  await server.owner.query(
    `insert into bulk_job_items (job_id, n, organization_id, device_id, serial, state) values ($1, 2, $2, $3, $4, 'waiting'), ($1, 3, $2, $5, $6, 'waiting')`,
    [id, org, own.looseDeviceId, own.loose.serial, other.looseDeviceId, other.loose.serial],
  );
  await server.owner.query(
    `update bulk_jobs set state = 'running', ended_at = null, total = 3, next_n = 2, due_at = now(), action = $2 where id = $1`,
    [id, JSON.stringify(action)],
  );
  await until(async () => ['done', 'cancelled'].includes((await read(id)).state as string));
  return id;
}

test('IAM-04-partial a job changes the devices of the limit; one that has left it is skipped, and not listed', async () => {
  const id = await prepareJob({ kind: 'tags', add: ['later'], remove: [] });
  expect(await read(id)).toMatchObject({ state: 'done', total: 3, done: 2, skipped: 1, failed: 0 });
  expect(await tagsOf(own.looseDeviceId)).toContain('later');
  expect(await tagsOf(other.looseDeviceId)).not.toContain('later');
  const items = await call('GET', `jobs/${id}/devices`);
  expect(items.text).toContain(own.looseDeviceId);
  expect(items.text).toContain('"total":2');
  expect(items.text).not.toContain(other.looseDeviceId);
});

test('IAM-04-partial a job that moves devices to a group out of sight ends, and changes nothing', async () => {
  const id = await prepareJob({ kind: 'move', group: other.groupKey, name: other.groupName });
  expect(await read(id)).toMatchObject({ state: 'cancelled', total: 3, done: 0 });
  const { rows } = await server.owner.query('select group_key from devices where id = $1', [own.looseDeviceId]);
  expect(rows).toEqual([{ group_key: own.groupKey }]);
});

test('IAM-04-partial a device is moved between groups that a limited person sees', async () => {
  await limit([own.groupKey, other.groupKey]);
  const move = async (group: string, name: string) => {
    const body = { action: { kind: 'move', group, name }, selection: { devices: [own.looseDeviceId] } };
    const { json, text } = await call('POST', 'jobs', { body });
    expect(json.result?.id, text).toBeTruthy();
    const id = json.result.id as string;
    await until(async () => ['done', 'cancelled'].includes((await read(id)).state as string));
    return read(id);
  };
  expect(await move(other.groupKey, other.groupName)).toMatchObject({ state: 'done', total: 1, done: 1 });
  expect((await call('GET', 'devices', { query: { group: other.groupKey } })).text).toContain(own.looseDeviceId);
  expect(await move(own.groupKey, own.groupName)).toMatchObject({ state: 'done', total: 1, done: 1 });
  await limit([own.groupKey]);
});

describe('IAM-05-partial a job of a guest goes on', () => {
  const PATH = visits.openVisit.path;
  const emailOf = async (id: string) =>
    (await server.owner.query<{ email: string }>('select email from accounts where id = $1', [id])).rows[0]!.email;
  afterEach(() => {
    bearer = limited;
  });
  async function begin(guest: { readonly email: string; readonly role: 'admin' | 'user'; readonly groups?: readonly string[] }) {
    const body = { kind: 'guest', days: 30, ...guest };
    const opened = await inject(server, 'POST', PATH, { as: { sessionId: other.bearers.admin }, body });
    expect(opened.status, opened.text).toBe(200);
    return opened.json.result.id as string;
  }

  test('within the groups of the visit, for one of another organization', async () => {
    const id = await begin({ email: await emailOf(sibling.users.admin), role: 'admin', groups: [own.groupKey] });
    bearer = sibling.bearers.admin;
    const entered = await inject(server, 'POST', visits.enterVisit.path.replace('{visit}', id), { as: { sessionId: bearer } });
    expect(entered.status, entered.text).toBe(200);
    const job = await prepareJob({ kind: 'tags', add: ['visited'], remove: [] });
    expect(await read(job)).toMatchObject({ state: 'done', total: 3, failed: 0 });
    expect(await tagsOf(own.looseDeviceId)).toContain('visited');
    expect(await tagsOf(other.looseDeviceId)).not.toContain('visited');
  });

  test('with the role of now, for one who is a guest at home and was made an admin', async () => {
    const email = 'guest@later.example';
    await begin({ email, role: 'user' });
    const { rows } = await server.owner.query<{ id: string }>('select id from accounts where email = $1', [email]);
    const form = new URLSearchParams({ id: rows[0]!.id, original: `r.${org}.vendor`, target: `r.${org}.super` });
    const changed = await inject(server, 'PUT', '/dmp_aa/api/v1/roles/', { as: { sessionId: other.bearers.admin }, body: form });
    expect(changed.status, changed.text).toBe(200);
    bearer = await server.seeding.bearer(rows[0]!.id);
    const job = await prepareJob({ kind: 'tags', add: ['promoted'], remove: [] });
    expect(await read(job)).toMatchObject({ state: 'done', total: 3, failed: 0 });
    for (const { looseDeviceId } of [own, other]) expect(await tagsOf(looseDeviceId)).toContain('promoted');
  });
});

test('IAM-04-partial a link shows what its maker sees: when the group leaves the limit, it ends', async () => {
  const made = await call('POST', 'links', { body: { group: own.groupKey, showsNames: true, hours: 1 } });
  const { token, result } = made.json as { token: string; result: { id: string } };
  const open = () => inject(server, 'POST', '/data_manager/v1/dm/links/open', { body: { token } });
  expect((await open()).text).toContain(own.groupName);
  await limit([other.groupKey]);
  expect((await call('GET', 'links')).text).not.toContain(result.id);
  await until(async () => (await open()).text.includes('link.over'));
  await limit([own.groupKey]);
  expect((await call('GET', 'links')).text).toContain('"state":"gone"');
});

test('IAM-04-partial who sees some devices of a group by their tag can share these, and find and end that link', async () => {
  await server.owner.query(`update devices set tags = '{shared}' where id = $1`, [own.looseDeviceId]);
  await limit([], ['shared']);
  const made = await call('POST', 'links', { body: { group: own.groupKey, showsNames: true, hours: 1 } });
  const { result } = made.json as { result: { id: string } };
  expect(made.status, made.text).toBe(200);
  expect((await call('GET', 'links')).text).toContain(result.id);
  await limit([other.groupKey]);
  expect((await call('GET', 'links')).text).not.toContain(result.id);
  await limit([own.groupKey]);
});

test('IAM-04-partial RPM-03-partial a summary that another person saves stays within the limit of its person, and is taken over once there is none', async () => {
  const summary = {
    name: 'Depot',
    kind: 'inventory',
    format: 'csv',
    zone: 'UTC',
    language: 'en-US',
    every: 'never',
    onDay: 1,
    hour: 6,
  };
  const body = { ...summary, recipients: ['boss@own.test'] };
  const { json, text } = await call('POST', 'summaries', { body });
  expect(json.result?.id, text).toBeTruthy();
  const { id } = json.result;
  const save = async () => {
    const saved = await inject(server, 'PUT', `/data_manager/v1/dm/summaries/${id}`, {
      as: { sessionId: other.bearers.admin },
      body: { org, ...body, recipients: ['chief@own.test'] },
    });
    expect(saved.json.result?.recipients, saved.text).toEqual(['chief@own.test']);
  };
  const listed = async () => (await call('GET', 'summaries')).json.result.map((each: { id: string }) => each.id);
  await save();
  // The limited person finds what is in the own name.
  expect(await listed()).toContain(id);
  const { status } = await limitTo(null);
  expect(status).toBe(200);
  await save();
  await limit([own.groupKey]);
  expect(await listed()).not.toContain(id);
});

test('IAM-04-partial HKS-02-partial RPM-03-partial a summary of a limited API key stays within its limit when the maker of the key saves it', async () => {
  const as = { sessionId: other.bearers.admin };
  const minted = await inject(server, 'POST', '/data_manager/v1/dm/api_keys', {
    as,
    body: {
      org,
      name: 'Depot',
      operations: ['summaries.create', 'summaries.list', 'devices.list'],
      limitedTo: { groups: [own.groupKey], tags: [] },
    },
  });
  expect(minted.json.secret, minted.text).toBeTruthy();
  const inventory = { kind: 'inventory', format: 'csv', zone: 'UTC', language: 'en-US', every: 'never', onDay: 1, hour: 6 };
  const body = { name: 'Of a key', ...inventory, recipients: ['boss@own.test'] };
  bearer = minted.json.secret;
  const { json, text } = await call('POST', 'summaries', { body });
  expect(json.result?.id, text).toBeTruthy();
  const { id } = json.result;
  const saved = await inject(server, 'PUT', `/data_manager/v1/dm/summaries/${id}`, {
    as,
    body: { org, ...body, recipients: ['chief@own.test'] },
  });
  expect(saved.json.result?.recipients, saved.text).toEqual(['chief@own.test']);
  // The key finds what is within its limit alone.
  const listed = (await call('GET', 'summaries')).json.result;
  bearer = limited;
  expect(listed.map((each: { id: string }) => each.id)).toContain(id);
});

test('IAM-04-partial each kind of summary answers with nothing of the other half, or is closed', async () => {
  const closed: string[] = [];
  for (const kind of summaryKinds) {
    const { status, text } = await call('GET', 'summaries/preview', { query: { kind } });
    if (status === 403) closed.push(kind);
    else expect(`${kind} ${status}`).toBe(`${kind} 200`);
    expect(other.canaries.filter((canary) => text.includes(canary))).toEqual([]);
  }
  expect(closed).toEqual(summaryKinds.filter((kind) => !limitedSummaryKinds.includes(kind)));
});

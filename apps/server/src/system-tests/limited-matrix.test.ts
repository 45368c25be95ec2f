import { accessOf, areaOf, areasOfLimited, areasOfPeople, limitedOperations, type Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { until } from '../testing/call.ts';
import { inject } from '../testing/inject.ts';
import { isReading, sendCall, type MatrixResponse } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import type { Request } from '../testing/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { buildTenants, type Tenant } from '../testing/tenants.ts';

// IAM-04: every registered operation × admin, user, a person with an own role and an API key, each limited to one group × ids of another group of the same organization. What is on the
// list of the contract answers and knows nothing of the other group; everything else answers 403.

let server: TestServer;
/** Two halves of one organization, each with a group, devices in it, and all that hangs on them. */
let own: Tenant;
let other: Tenant;
/** A person with an own role that is limited. */
let holder: string;
/** Who made the newest API key. */
let keyMaker: string;

const roles = ['admin', 'user'] as const;
type MemberRole = (typeof roles)[number];
/** Who is limited: people, people by a role that the organization made, and API keys. */
const callers = [...roles, 'own role', 'key'] as const;
type Caller = (typeof callers)[number];
const roleOf = (caller: Caller): MemberRole => (caller === 'user' ? 'user' : 'admin');
/** About the own account, its views and its connection, which the fixtures have for the three people of each tenant. */
const ofAccount = /^(?:(?:accounts|secondFactor|views)\.|remoteAccess\.secret$)/u;
/** Calls of people that no API key can make. */
const ofPeople = /^(?:accounts|identityProviders|secondFactor|remoteAccess|visits)\./u;

/** Of the organization and not of a group: people who are limited see these too, whichever half they were made for. */
const sharedTables = ['geofences', 'custom_commands', 'custom_properties'];

beforeAll(async () => {
  server = await startTestServer({ offlineSeconds: 3_600 });
  const tenants = await buildTenants(server.seeding);
  own = tenants.own;
  other = await tenants.secondGroupOf(own);
  for (const { groupKey, looseDeviceId } of [own, other])
    await server.owner.query('update devices set group_key = $1 where id = $2', [groupKey, looseDeviceId]);
  // The fixture adds to the sums of the organization alone, of which a limited person sees those of its devices.
  const days = `insert into usage_days (organization_id, day, iccid, device_id, sent, received)
    select $1, (now() at time zone 'UTC')::date, '89014103211118510720', $2, 4711, 815`;
  await server.owner.query(days, [own.organizationId, own.deviceId]);
  for (const table of sharedTables) await deleteOf(other, table);
  for (const role of roles) await limit(role, { groups: [own.groupKey], tags: [] });
  holder = await makeHolder();
});

/** A person with every right of an own role that is limited. */
async function makeHolder(): Promise<string> {
  const as = { sessionId: other.bearers.admin };
  const org = { org: own.organizationId };
  const { json } = await inject(server, 'GET', '/dmp_aa/api/v1/own_roles/rights', { as, query: org });
  const rights = (json.result as { area: string; access: string }[]).map(({ area, access }) => `${area}.${access}`);
  const body = { ...org, name: 'North depot', rights, limitedTo: { groups: [own.groupKey], tags: [] } };
  const made = await inject(server, 'POST', '/dmp_aa/api/v1/own_roles', { as, body });
  const id = await server.seeding.account(
    { kind: 'organization', mainAccountId: own.mainAccountId, organizationId: own.organizationId },
    'north-depot@highline.invalid',
    'user',
  );
  const given = await inject(server, 'PUT', `/dmp_aa/api/v1/accounts/${id}/own_role`, {
    as,
    body: { role: made.json.result.id as string },
  });
  expect(given.status, made.text + given.text).toBe(200);
  return id;
}

/** A key that may make every call that limited keys can, made by an admin who is not limited. */
async function mintKey(): Promise<string> {
  const scope = { kind: 'organization' as const, mainAccountId: own.mainAccountId, organizationId: own.organizationId };
  keyMaker = await server.seeding.account(scope, `maker-of-keys-${Math.random()}@highline.invalid`, 'admin');
  const as = { sessionId: await server.seeding.bearer(keyMaker) };
  const org = { org: own.organizationId };
  const { json } = await inject(server, 'GET', '/data_manager/v1/dm/api_keys/operations', { as, query: org });
  const all = (json.result as { operations: { id: string }[] }[]).flatMap(({ operations }) => operations.map(({ id }) => id));
  const operations = all.filter((id) => limitedOperations.has(id));
  const body = { ...org, name: 'North', operations, limitedTo: { groups: [own.groupKey], tags: [] } };
  const minted = await inject(server, 'POST', '/data_manager/v1/dm/api_keys', { as, body });
  expect(minted.status, minted.text).toBe(200);
  expect(minted.json.result.limitedTo).toEqual({ groups: [{ id: own.groupKey, name: own.groupName }], tags: [] });
  return minted.json.secret as string;
}

const accountOf = (caller: Caller): string => {
  if (caller === 'key') return keyMaker;
  return caller === 'own role' ? holder : own.users[caller];
};

/**
 * Have jobs and summaries be the caller's own: those of its group from under its limit, those of the other from a time without one. They change tags, as
 * limited people delete no devices.
 */
async function makeOwn(caller: Caller): Promise<void> {
  const { organizationId } = own;
  const accountId = accountOf(caller);
  const action = JSON.stringify({ kind: 'tags', add: ['limited'], remove: [] });
  await server.owner.query(`update bulk_jobs set action = $1 where action ->> 'kind' = 'delete'`, [action]);
  const limited = { accountId, limit: { accountId, organizationId, groups: [own.groupKey], tags: [] } };
  for (const { half, author } of [
    { half: own, author: limited },
    { half: other, author: { accountId } },
  ]) {
    const values = [JSON.stringify(author), [half.deviceId, ...Object.values(half.jobs)]];
    await server.owner.query(`update bulk_jobs set actor = actor - 'limit' || $1::jsonb where id = any ($2)`, values);
    await server.owner.query(`update summaries set author = author - 'limit' || $1::jsonb where id = any ($2)`, values);
  }
}

/** Jobs of one's own can be cancelled, tried again and undone as in the beginning. */
async function renewJobs(): Promise<void> {
  const { tags, failed, active } = own.jobs;
  await server.owner.query('update bulk_jobs set retried_by = null, undone_by = null where id = any ($1)', [[tags, failed]]);
  await server.owner.query(`update bulk_jobs set state = 'running', ended_at = null where id = $1`, [active]);
  await server.owner.query(`update devices set tags = '{matrix}' where id = $1`, [own.looseDeviceId]);
}

/** A change of tags, which limited people may make of one device too; other matrices delete. */
function requestFor({ id }: AnyOperation, half: Tenant, role: MemberRole): Request {
  const request = fixtures[id]!.make(own, half, role);
  if (id !== 'jobs.start' && id !== 'jobs.preview') return request;
  return { ...request, body: { ...(request.body as object), action: { kind: 'tags', add: ['limited'] } } };
}

/** There is one connection to a vehicle at a time. */
async function endConnections(): Promise<void> {
  for (const id of ['remoteAccess.endClient', 'remoteAccess.cancel'])
    for (const half of [own, other])
      await sendCall(server, operationOf(id), fixtures[id]!.make(own, half, 'admin'), other.bearers.admin);
}

const operationOf = (id: string): AnyOperation => allOperations.find((operation) => operation.id === id)!;

const bearerOf = async (caller: Caller): Promise<string> => {
  if (caller === 'key') return mintKey();
  return server.seeding.bearer(caller === 'own role' ? holder : own.users[caller]);
};
afterAll(() => server.close());

async function deleteOf({ geofenceId, commandId, properties }: Tenant, table: string): Promise<void> {
  if (table === 'geofences') await server.owner.query('delete from geofences where id = $1', [geofenceId]);
  if (table === 'custom_commands') await server.owner.query('delete from custom_commands where id = $1', [commandId]);
  if (table !== 'custom_properties') return;
  const keys = [Object.values(properties)];
  await server.owner.query('delete from device_properties where property_key = any ($1)', keys);
  await server.owner.query('delete from custom_properties where key = any ($1)', keys);
}

/** Limit a person of `own`, as an admin who is not limited. */
async function limit(role: MemberRole, to: { readonly groups: readonly string[]; readonly tags: readonly string[] } | null) {
  const as = { sessionId: other.bearers.admin };
  const path = `/dmp_aa/api/v1/accounts/${own.users[role]}/limit`;
  const { status, text } = await inject(server, 'PUT', path, { as, body: { limitedTo: to } });
  expect(text).toContain(to === null ? '"limitedTo":null' : '"groups"');
  expect(status).toBe(200);
}

const secured = allOperations.filter(({ scope }) => scope !== 'public');
const mayCall = (role: Role) => (operation: AnyOperation) => operation.roles.includes(role);

/** What readings show of a whole group, where the fixture has one device in mind. */
const shownHere: ReadonlyMap<string, string> = new Map([
  ['reports.count', '"count":'],
  ['accounts.get', '"limitedTo":{"tags":[],"groups":[{"id":'],
]);

/** No key within a limit reads the log, so the history of a device has no actions for it. */
const shownToKey: ReadonlyMap<string, string> = new Map([['devices.timeline', '"kind":"alert"']]);

/** Whom to ask is no secret (IAM-08). */
const namesAdmins: ReadonlySet<string> = new Set(['accounts.listAdmins']);

const leaks = (text: string, { canaries }: Tenant) => canaries.filter((canary) => text.includes(canary));

async function callAll(
  operations: readonly AnyOperation[],
  bearer: string,
  requestOf: (operation: AnyOperation) => Request,
  faultOf: (operation: AnyOperation, response: MatrixResponse) => string | undefined,
): Promise<string[]> {
  const faults: string[] = [];
  for (const operation of operations) {
    const request = requestOf(operation);
    const response = await sendCall(server, operation, request, bearer).catch(String);
    const fault = typeof response === 'string' ? response : faultOf(operation, response);
    const text = typeof response === 'string' ? '' : response.text;
    if (fault !== undefined) faults.push(`${operation.id} ${fault}: ${JSON.stringify(request)} → ${text.slice(0, 600)}`);
  }
  return faults;
}

test('IAM-04-partial every operation that limited people may call is registered', () => {
  const known = new Set(secured.map(({ id }) => id));
  expect([...limitedOperations].filter((id) => !known.has(id))).toEqual([]);
});

test('IAM-04-partial the parts of the product are named in which limited people change something', () => {
  const changes = secured.filter((operation) => limitedOperations.has(operation.id) && accessOf(operation) === 'write');
  const areas = new Set(changes.map(({ id }) => areaOf(id)).filter((area) => !areasOfPeople.has(area)));
  expect([...areasOfLimited].toSorted()).toEqual([...areas].toSorted());
});

describe.each(callers)('IAM-04 %s, limited to one group', (caller) => {
  const role = roleOf(caller);
  const isAllowed = ({ id }: AnyOperation) => limitedOperations.has(id) && !(caller === 'key' && ofPeople.test(id));
  const hasFixture = ({ id }: AnyOperation) => caller === role || !ofAccount.test(id);
  let bearer: string;
  beforeAll(async () => {
    bearer = await bearerOf(caller);
    await makeOwn(caller);
  });

  /** People, keys and roles are in no own role; a key has no right for them either. */
  const closed = [
    'You see only some of the vehicles',
    ...(caller === 'own role' ? ['Your role does not allow this'] : []),
    ...(caller === 'key' ? ['is not allowed to make this call'] : []),
  ];

  test('may call nothing that is of the whole organization', async () => {
    const others = secured.filter(mayCall(role)).filter((operation) => !isAllowed(operation));
    expect(
      await callAll(
        others,
        bearer,
        ({ id }) => fixtures[id]!.make(own, own, role),
        (_, { status, text }) => {
          if (leaks(text, other).length > 0) return 'leaks';
          return status === 403 && closed.some((sentence) => text.includes(sentence)) ? undefined : `answers ${status}`;
        },
      ),
    ).toEqual([]);
  });

  test('gets 404 for ids of another group', async () => {
    const naming = secured
      .filter(mayCall(role))
      .filter((operation) => isAllowed(operation) && fixtures[operation.id]!.names === 'ids');
    expect(
      await callAll(
        naming,
        bearer,
        (operation) => requestFor(operation, other, role),
        (_, { status, text }) => {
          const leaked = leaks(text, other);
          if (leaked.length > 0) return `leaks ${leaked.join(' ')}`;
          return status === 404 ? undefined : `answers ${status}`;
        },
      ),
    ).toEqual([]);
  });

  test('reads its own group and nothing of the other', async () => {
    const readings = secured
      .filter(mayCall(role))
      .filter((operation) => isAllowed(operation) && isReading(operation) && hasFixture(operation));
    await endConnections();
    for (const { id } of readings) for (const half of [own, other]) await fixtures[id]!.prepare?.(half, server.seeding, server);
    await makeOwn(caller);
    expect(
      await callAll(
        readings,
        bearer,
        // A limited admin knows no other person.
        (operation) => (operation.id === 'accounts.get' ? { params: { id: own.users[role] } } : requestFor(operation, own, role)),
        ({ id }, { status, text }) => {
          const leaked = namesAdmins.has(id) ? [] : leaks(text, other);
          if (leaked.length > 0) return `leaks ${leaked.join(' ')}`;
          if (status !== 200) return `answers ${status}`;
          const ofKey = caller === 'key' ? shownToKey.get(id) : undefined;
          const shown = ofKey ?? shownHere.get(id) ?? fixtures[id]!.shows?.(own) ?? '';
          return text.includes(shown) ? undefined : `does not show ${shown}`;
        },
      ),
    ).toEqual([]);
  });

  test('counts only its own group', async () => {
    const read = async (path: string, by: string) => (await inject(server, 'GET', path, { as: { sessionId: by } })).text;
    const unlimited = await server.seeding.bearer(other.users.admin);
    const org = `org=${own.organizationId}`;
    // Cached for one person, then read by the other.
    for (const path of [
      `/data_manager/v1/dm/devices?limit=1&${org}`,
      `/data_manager/v1/dm/devices?limit=1&${org}&search=SN&field=serial`,
    ]) {
      expect(await read(path, unlimited)).toContain('"total":4');
      expect(await read(path, bearer)).toContain('"total":2');
      expect(await read(path, unlimited)).toContain('"total":4');
    }
    expect(await read(`/data_manager/v1/dm/statistics?${org}`, unlimited)).toContain('"devices":4');
    expect(await read(`/data_manager/v1/dm/statistics?${org}`, bearer)).toContain('"devices":2');
    expect(await read(`/data_manager/v1/alerts/count?${org}`, unlimited)).not.toEqual(
      await read(`/data_manager/v1/alerts/count?${org}`, bearer),
    );
  });

  test('changes what is its own', async () => {
    const isTried = (operation: AnyOperation) =>
      isAllowed(operation) && !isReading(operation) && !endsSessions.has(operation.id) && hasFixture(operation);
    const changes = secured.filter(mayCall(role)).filter(isTried);
    const faults: string[] = [];
    for (const operation of changes) {
      const { id } = operation;
      await server.owner.query('delete from second_factors');
      await server.owner.query(`update alerts set state = 'firing', acknowledged_at = null`);
      await server.owner.query(`update sent_commands set state = 'waiting', ended_at = null, due_at = now() where id = $1`, [
        own.sentCommandId,
      ]);
      if (id.startsWith('remoteAccess.')) await endConnections();
      await fixtures[id]!.prepare?.(own, server.seeding, server);
      // A new password ends sessions.
      const fresh = caller === 'key' ? bearer : await bearerOf(caller);
      await makeOwn(caller);
      await renewJobs();
      const request = requestFor(operation, own, role);
      const { status, text } = await sendCall(server, operation, request, fresh).catch((error: unknown) => ({
        status: 500,
        text: String(error),
      }));
      if (leaks(text, other).length > 0 || status !== 200 || !text.includes(fixtures[id]!.shows?.(own) ?? ''))
        faults.push(`${id} answers ${status}: ${text.slice(0, 300)}`);
    }
    expect(faults).toEqual([]);
  });
});

/** They end the session that the others need, or take it to another organization. */
const endsSessions: ReadonlySet<string> = new Set([
  'accounts.signOut',
  'accounts.signOutEverywhere',
  'accounts.endSession',
  'visits.enter',
  'visits.leave',
]);

describe('IAM-04 a limit that changes', () => {
  const devices = async (bearer: string) => {
    const { text } = await inject(server, 'GET', `/data_manager/v1/dm/devices?org=${own.organizationId}`, {
      as: { sessionId: bearer },
    });
    return [own.deviceId, own.looseDeviceId, other.deviceId, other.looseDeviceId].filter((id) => text.includes(id));
  };
  const path = (id: string) => `/dmp_aa/api/v1/accounts/${id}/limit`;

  test('counts at the next call: tags, then both, then nothing, then everything', async () => {
    const bearer = await server.seeding.bearer(own.users.user);
    await server.owner.query(`update devices set tags = '{night}' where id = $1`, [other.deviceId]);
    await limit('user', { groups: [], tags: ['night'] });
    expect(await devices(bearer)).toEqual([other.deviceId]);
    await limit('user', { groups: [own.groupKey], tags: ['night'] });
    expect(await devices(bearer)).toEqual([own.deviceId, own.looseDeviceId, other.deviceId]);
    await limit('user', { groups: [], tags: [] });
    expect(await devices(bearer)).toEqual([]);
    await limit('user', null);
    expect(await devices(bearer)).toHaveLength(4);
    await limit('user', { groups: [own.groupKey], tags: [] });
    expect(await devices(bearer)).toEqual([own.deviceId, own.looseDeviceId]);
  });

  test('a device that leaves the limit ends the connection to it', async () => {
    const whole = await server.seeding.bearer(other.users.admin);
    const call = (id: string, by: string) =>
      sendCall(
        server,
        allOperations.find((operation) => operation.id === id)!,
        fixtures[id]!.make(own, own, 'admin'),
        by,
      );
    const move = (group: string) =>
      inject(server, 'PATCH', '/data_manager/v1/dm/device', {
        as: { sessionId: whole },
        body: { org: own.organizationId, device: own.looseDeviceId, group },
      });
    await fixtures['remoteAccess.connect']!.prepare?.(own, server.seeding, server);
    await call('remoteAccess.cancel', whole);
    const connected = await call('remoteAccess.connect', await server.seeding.bearer(own.users.admin));
    expect(connected.text).toContain('"statusCode":200');
    expect((await call('remoteAccess.get', whole)).text).toContain('"type":"ssh"');
    expect((await move(other.groupKey)).status).toBe(200);
    await until(async () => !(await call('remoteAccess.get', whole)).text.includes('"type":"ssh"'));
    await move(own.groupKey);
  });

  test('a device that is moved out of the group is gone, and the event stream says so without its id', async () => {
    const bearer = await server.seeding.bearer(own.users.user);
    const stop = new AbortController();
    const response = await fetch(`${server.url}/data_manager/v1/events?org=${own.organizationId}`, {
      signal: stop.signal,
      headers: { authorization: `Bearer ${bearer}` },
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const save = { org: own.organizationId, device: own.looseDeviceId, group: other.groupKey };
    const as = { sessionId: await server.seeding.bearer(other.users.admin) };
    const moved = await inject(server, 'PATCH', '/data_manager/v1/dm/device', { as, body: save });
    expect(moved.text).toContain(own.looseDeviceId);
    let received = '';
    while (!received.includes('"topic":"devices"')) received += (await reader.read()).value ?? '';
    stop.abort();
    expect(received).toContain('"topic":"devices","ids":[]');
    expect(received).not.toContain(own.looseDeviceId);
    expect(await devices(bearer)).toEqual([own.deviceId]);
  });

  test('a limited admin moves no device into a group of others', async () => {
    const as = { sessionId: await server.seeding.bearer(own.users.admin) };
    const body = { org: own.organizationId, device: own.deviceId, group: other.groupKey };
    expect((await inject(server, 'PATCH', '/data_manager/v1/dm/device', { as, body })).text).toContain('group.not_found');
  });

  test('no one limits themselves, or the last admin who sees everything', async () => {
    await server.owner.query(`delete from accounts where email like 'maker-of-keys-%'`);
    const body = { limitedTo: { groups: [own.groupKey], tags: [] } };
    const as = { sessionId: await server.seeding.bearer(other.users.admin) };
    expect((await inject(server, 'PUT', path(other.users.admin), { as, body })).text).toContain('account.is_self');
    const main = { sessionId: await server.seeding.bearer(other.users.main) };
    expect((await inject(server, 'PUT', path(other.users.admin), { as: main, body })).text).toContain('account.last_admin');
    const unknown = { limitedTo: { groups: ['no-such-group'], tags: [] } };
    expect((await inject(server, 'PUT', path(other.users.user), { as, body: unknown })).text).toContain('group.not_found');
  });

  test('a limit whose only group is deleted shows nothing', async () => {
    const bearer = await server.seeding.bearer(own.users.user);
    await server.owner.query('update devices set group_key = $1 where group_key = $2', [other.groupKey, own.groupKey]);
    await server.owner.query('delete from bindings where group_key = $1', [own.groupKey]);
    await server.owner.query('delete from groups where key = $1', [own.groupKey]);
    expect(await devices(bearer)).toEqual([]);
  });
});

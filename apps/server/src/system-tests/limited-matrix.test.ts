import { limitedOperations, type Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { inject } from '../testing/inject.ts';
import { isReading, sendCall, type MatrixResponse } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import type { Request } from '../testing/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { buildTenants, type Tenant } from '../testing/tenants.ts';

// IAM-04: every registered operation × admin and user who are limited to one group × ids of another group of the same organization. What is on the
// list of the contract answers and knows nothing of the other group; everything else answers 403.

let server: TestServer;
/** Two halves of one organization, each with a group, devices in it, and all that hangs on them. */
let own: Tenant;
let other: Tenant;

const roles = ['admin', 'user'] as const;
type MemberRole = (typeof roles)[number];

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
});
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
const isAllowed = ({ id }: AnyOperation) => limitedOperations.has(id);
const mayCall = (role: Role) => (operation: AnyOperation) => operation.roles.includes(role);

/** What readings show of a whole group, where the fixture has one device in mind. */
const shownHere: ReadonlyMap<string, string> = new Map([
  ['reports.count', '"count":'],
  ['accounts.get', '"limitedTo":{"tags":[],"groups":[{"id":'],
]);

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

describe.each(roles)('IAM-04 the role %s, limited to one group', (role) => {
  let bearer: string;
  beforeAll(async () => {
    bearer = await server.seeding.bearer(own.users[role]);
  });

  test('may call nothing that is of the whole organization', async () => {
    const others = secured.filter(mayCall(role)).filter((operation) => !isAllowed(operation));
    expect(
      await callAll(
        others,
        bearer,
        ({ id }) => fixtures[id]!.make(own, own, role),
        (_, { status, text }) => {
          if (leaks(text, other).length > 0) return 'leaks';
          return status === 403 && text.includes('You see only some of the vehicles') ? undefined : `answers ${status}`;
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
        ({ id }) => fixtures[id]!.make(own, other, role),
        (_, { status, text }) => {
          const leaked = leaks(text, other);
          if (leaked.length > 0) return `leaks ${leaked.join(' ')}`;
          return status === 404 ? undefined : `answers ${status}`;
        },
      ),
    ).toEqual([]);
  });

  test('reads its own group and nothing of the other', async () => {
    const readings = secured.filter(mayCall(role)).filter((operation) => isAllowed(operation) && isReading(operation));
    for (const { id } of readings) for (const half of [own, other]) await fixtures[id]!.prepare?.(half, server.seeding, server);
    expect(
      await callAll(
        readings,
        bearer,
        // A limited admin knows no other person.
        ({ id }) => (id === 'accounts.get' ? { params: { id: own.users[role] } } : fixtures[id]!.make(own, own, role)),
        ({ id }, { status, text }) => {
          const leaked = leaks(text, other);
          if (leaked.length > 0) return `leaks ${leaked.join(' ')}`;
          if (status !== 200) return `answers ${status}`;
          const shown = shownHere.get(id) ?? fixtures[id]!.shows?.(own) ?? '';
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
    const isTried = (operation: AnyOperation) => isAllowed(operation) && !isReading(operation) && !endsSessions.has(operation.id);
    const changes = secured.filter(mayCall(role)).filter(isTried);
    const faults: string[] = [];
    for (const operation of changes) {
      const { id } = operation;
      await server.owner.query('delete from second_factors');
      await server.owner.query(`update alerts set state = 'firing', acknowledged_at = null`);
      await fixtures[id]!.prepare?.(own, server.seeding, server);
      // A new password ends sessions.
      const fresh = await server.seeding.bearer(own.users[role]);
      const request = fixtures[id]!.make(own, own, role);
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

/** They end the session that the others need. */
const endsSessions: ReadonlySet<string> = new Set(['accounts.signOut', 'accounts.signOutEverywhere', 'accounts.endSession']);

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

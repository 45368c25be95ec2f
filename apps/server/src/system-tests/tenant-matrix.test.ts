import type { Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { isReading, sendCall } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import type { Request } from '../testing/matrix-fixtures/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { createSnapshots } from '../testing/tenant-snapshot.ts';
import { buildTenants, type Tenant, type Tenants } from '../testing/tenants.ts';

// Every registered operation × every role × own and foreign organization. The operations come from the running server's route
// table, so a call without a fixture fails here, and so does a fixture without a call. What calls that change something answer in the own organization is
// in audit-matrix.test.ts.

let server: TestServer;
let tenants: Tenants;

beforeAll(async () => {
  server = await startTestServer();
  tenants = await buildTenants(server.seeding);
});
afterAll(() => server.close());

type Caller = { readonly role: Role; readonly bearer: string };

const callers = (): Caller[] => [
  { role: 'main', bearer: tenants.own.bearers.main },
  { role: 'admin', bearer: tenants.own.bearers.admin },
  { role: 'user', bearer: tenants.own.bearers.user },
];

const send = (operation: AnyOperation, request: Request, bearer: string | undefined) =>
  sendCall(server.url, operation, request, bearer);

const secured = allOperations.filter((operation) => operation.scope !== 'public');
/** Those that name an organization or something in one; the others have no foreign request. */
const naming = secured.filter(({ id }) => fixtures[id]?.names !== 'nothing');

test('every registered operation has a fixture, and every fixture an operation', () => {
  const registered = server.operations.map((operation) => operation.id).sort();
  expect(registered).toEqual(allOperations.map((operation) => operation.id).sort());
  expect(Object.keys(fixtures).sort()).toEqual(registered);
});

test('API-01-partial API-02-partial no secured call answers without a bearer, or with an unknown one', async () => {
  for (const operation of secured) {
    const request = fixtures[operation.id]!.make(tenants.own, tenants.own);
    const none = await send(operation, request, undefined);
    expect([none.status, JSON.parse(none.text).error.message], operation.id).toEqual([401, 'Access token not found']);
    const unknown = await send(operation, request, 'x'.repeat(43));
    expect([unknown.status, JSON.parse(unknown.text).error.message], operation.id).toEqual([401, 'Auth token timeout.']);
  }
});

describe('foreign organizations', () => {
  // One look after all calls: the rows that differ, and the log, tell which of them changed something.
  let before: readonly string[];
  let snapshot: Awaited<ReturnType<typeof createSnapshots>>;
  const look = () => Promise.all([tenants.foreign, tenants.sibling].map((tenant) => snapshot(tenant)));
  beforeAll(async () => {
    snapshot = await createSnapshots(server.owner);
    before = await look();
  });

  test.each(naming.map((operation) => [operation.id, operation] as const))(
    '%s answers 404 for another main account',
    async (id, operation) => {
      const fixture = fixtures[id]!;
      for (const caller of callers())
        for (const request of foreignRequests(fixture.names, operation)) {
          const answer = await send(operation, request, caller.bearer);
          const rejected = operation.roles.includes(caller.role) ? [404] : [403, 404];
          expect(rejected, `${caller.role} ${JSON.stringify(request)} → ${answer.text}`).toContain(answer.status);
          for (const canary of tenants.foreign.canaries)
            expect(answer.text, `${id} leaks to ${caller.role}`).not.toContain(canary);
        }
    },
  );

  test.each(naming.map((operation) => [operation.id, operation] as const))(
    '%s keeps an admin out of a sibling organization of the same main account',
    async (id, operation) => {
      const fixture = fixtures[id]!;
      for (const bearer of [tenants.own.bearers.admin, tenants.own.bearers.user]) {
        const requests = [
          fixture.make(tenants.sibling, tenants.sibling),
          ...(fixture.names === 'ids' ? [fixture.make(tenants.own, tenants.sibling)] : []),
        ];
        for (const request of requests) {
          const answer = await send(operation, request, bearer);
          expect([403, 404], answer.text).toContain(answer.status);
          for (const canary of tenants.sibling.canaries) expect(answer.text).not.toContain(canary);
        }
      }
    },
  );

  test('no call of a foreigner changed anything in another main account or a sibling organization', async () => {
    for (const [index, lines] of (await look()).entries()) expect(lines.split('\n')).toEqual(before[index]!.split('\n'));
  });
});

/** A call may name a foreign organization, or use a foreign id in a call on its own one. */
function foreignRequests(names: 'nothing' | 'organization' | 'ids' | 'main-ids', operation: AnyOperation): Request[] {
  const { make } = fixtures[operation.id]!;
  const { own, foreign } = tenants;
  if (names === 'nothing') return [];
  if (names === 'organization') return [make(foreign, foreign)];
  if (names === 'main-ids') return [make(own, foreign)];
  return [make(foreign, foreign), make(own, foreign)];
}

describe('own organization', () => {
  /** Shared tenant for calls that read or are rejected: they leave it unchanged. */
  let untouched: Tenant;
  beforeAll(async () => {
    untouched = await tenants.another();
  });

  /** Otherwise a fresh one, prepared for the call. */
  async function tenantFor(operation: AnyOperation, isAllowed: boolean): Promise<Tenant> {
    const { prepare } = fixtures[operation.id]!;
    if (!isAllowed || prepare === undefined) return untouched;
    const fresh = await tenants.another();
    await prepare(fresh, server.seeding, server);
    return fresh;
  }

  test.each(secured.filter(isReading).map((operation) => [operation.id, operation] as const))(
    '%s answers permitted roles and rejects the others with 403',
    async (id, operation) => {
      const fixture = fixtures[id]!;
      for (const role of ['user', 'admin', 'main'] as const) {
        const isAllowed = operation.roles.includes(role);
        const tenant = await tenantFor(operation, isAllowed);
        const request = fixture.make(tenant, tenant, role);
        const answer = await send(operation, request, tenant.bearers[role]);
        if (isAllowed) expect(answer.status, `${role}: ${answer.text}`).toBe(200);
        else expect([answer.status, JSON.parse(answer.text).error.message], role).toEqual([403, 'Permission denied']);
        const canaries = [...tenants.foreign.canaries, ...tenants.sibling.canaries];
        for (const canary of canaries) expect(answer.text, `${id} leaks to ${role}`).not.toContain(canary);
        if (fixture.shows !== undefined && isAllowed)
          expect(answer.text, `${id} shows ${role} its own`).toContain(fixture.shows(tenant));
      }
    },
  );
});

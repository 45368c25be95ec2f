import type { Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { isReading, sendCall, type MatrixResponse } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import type { Request } from '../testing/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { createSnapshots } from '../testing/tenant-snapshot.ts';
import { buildTenants, type Tenant, type Tenants } from '../testing/tenants.ts';
import { isChange, watchTables, type TableWatch } from '../testing/touched-tables.ts';

// Every registered operation × every role × own and foreign organization, of all that must change nothing: calls without a session, of
// foreigners and of roles without permission, and readings. The operations come from the running server's route table, so a call
// without a fixture fails here, and so does a fixture without a call. What calls that change something answer in the own
// organization is in audit-matrix.test.ts.

let server: TestServer;
let tenants: Tenants;
let watch: TableWatch;
let snapshot: Awaited<ReturnType<typeof createSnapshots>>;

beforeAll(async () => {
  // Long enough that no router is pinged during this file: last contacts are written too, but by no call.
  server = await startTestServer({ offlineSeconds: 3_600 });
  snapshot = await createSnapshots(server.owner);
  watch = await watchTables(server.owner);
  tenants = await buildTenants(server.seeding);
});
afterAll(() => server.close());

const roles = ['user', 'admin', 'main'] as const;
const secured = allOperations.filter((operation) => operation.scope !== 'public');
/** Those that name an organization or something in one; the others have no foreign request. */
const naming = secured.filter(({ id }) => fixtures[id]?.names !== 'nothing');

/** All answers of calls are as expected, and nothing was written. */
const fine: { readonly faults: readonly string[]; readonly written: readonly (readonly string[])[] } = {
  faults: [],
  written: [],
};

interface Case {
  readonly operation: AnyOperation;
  readonly request: Request;
}

/**
 * Make calls, none of which may change anything or leave an entry in a log.
 * @param faultOf what is wrong with a response
 * @returns what was wrong, and what was written nevertheless
 */
async function callAll(
  cases: readonly Case[],
  bearer: string | undefined,
  faultOf: (one: Case, response: MatrixResponse) => string | undefined,
): Promise<typeof fine> {
  await watch.take();
  const faults: string[] = [];
  for (const one of cases) {
    // One that fails does not hide the others.
    const response = await sendCall(server, one.operation, one.request, bearer).catch(String);
    const [fault, text] = typeof response === 'string' ? [response, ''] : [faultOf(one, response), response.text];
    if (fault !== undefined) faults.push(`${one.operation.id} ${fault}: ${JSON.stringify(one.request)} → ${text}`);
  }
  return { faults, written: (await watch.take()).map(({ wrote }) => wrote).filter(isChange) };
}

/** Whether a response contains something of these tenants. */
const leaks = (text: string, ...of: readonly Tenant[]) =>
  of.some(({ canaries }) => canaries.some((canary) => text.includes(canary)));

const messageOf = ({ text }: MatrixResponse) => (JSON.parse(text) as { error: { message: string } }).error.message;

const isRejected = (response: MatrixResponse, status: number, message: string) =>
  response.status === status && messageOf(response) === message;

test('every registered operation has a fixture, and every fixture an operation', () => {
  const registered = server.operations.map((operation) => operation.id).sort();
  expect(registered).toEqual(allOperations.map((operation) => operation.id).sort());
  expect(Object.keys(fixtures).sort()).toEqual(registered);
});

test.each([
  ['without a bearer', undefined, 'Access token not found'],
  ['with an unknown one', 'x'.repeat(43), 'Auth token timeout.'],
] as const)(
  'API-01-partial API-02-partial LOG-02-partial no secured call answers or is logged %s',
  async (_, bearer, message) => {
    const cases = secured.map((operation) => ({ operation, request: fixtures[operation.id]!.make(tenants.own, tenants.own) }));
    expect(
      await callAll(cases, bearer, (_one, response) =>
        isRejected(response, 401, message) ? undefined : `answers ${response.status}`,
      ),
    ).toEqual(fine);
  },
);

describe('foreign organizations', () => {
  // One look after all calls: the rows that differ tell which of them changed something.
  let before: readonly string[];
  const look = () => Promise.all([tenants.foreign, tenants.sibling].map((tenant) => snapshot(tenant)));
  beforeAll(async () => {
    before = await look();
  });

  test.each(roles)('every call of the role %s answers 404 for another main account, and is not logged', async (role) => {
    const { own, foreign } = tenants;
    expect(
      await callAll(naming.flatMap(foreignCases), own.bearers[role], ({ operation }, response) => {
        if (leaks(response.text, foreign)) return 'leaks';
        const isKept = response.status === 404 || (response.status === 403 && !operation.roles.includes(role));
        return isKept ? undefined : `answers ${response.status}`;
      }),
    ).toEqual(fine);
  });

  test.each(['admin', 'user'] as const)(
    'every call keeps the role %s out of a sibling organization of the same main account, and is not logged',
    async (role) => {
      const { own, sibling } = tenants;
      const cases = naming.flatMap((operation) => {
        const { make, names } = fixtures[operation.id]!;
        const requests = [make(sibling, sibling), ...(names === 'ids' ? [make(own, sibling)] : [])];
        return requests.map((request) => ({ operation, request }));
      });
      expect(
        await callAll(cases, own.bearers[role], (_, response) => {
          if (leaks(response.text, sibling)) return 'leaks';
          return [403, 404].includes(response.status) ? undefined : `answers ${response.status}`;
        }),
      ).toEqual(fine);
    },
  );

  test('no call of a foreigner changed anything in another main account or a sibling organization', async () => {
    for (const [index, lines] of (await look()).entries()) expect(lines.split('\n')).toEqual(before[index]!.split('\n'));
  });
});

/** A call may name a foreign organization, or use a foreign id in a call on its own one. */
function foreignCases(operation: AnyOperation): Case[] {
  const { make, names } = fixtures[operation.id]!;
  const { own, foreign } = tenants;
  const requests = {
    nothing: () => [],
    organization: () => [make(foreign, foreign)],
    'main-ids': () => [make(own, foreign)],
    ids: () => [make(foreign, foreign), make(own, foreign)],
  }[names]();
  return requests.map((request) => ({ operation, request }));
}

describe('own organization', () => {
  test.each(roles)(
    'LOG-02-partial the role %s without permission is rejected with 403, changes nothing and is not logged',
    async (role) => {
      const { own } = tenants;
      const cases = secured
        .filter((operation) => !operation.roles.includes(role))
        .map((operation) => ({ operation, request: fixtures[operation.id]!.make(own, own, role) }));
      expect(
        await callAll(cases, own.bearers[role], (_, response) => {
          if (leaks(response.text, tenants.foreign, tenants.sibling)) return 'leaks';
          return isRejected(response, 403, 'Permission denied') ? undefined : `answers ${response.status}`;
        }),
      ).toEqual(fine);
    },
  );

  /** A permitted role reads. */
  async function readAll(operations: readonly AnyOperation[], tenant: Tenant, role: Role): Promise<typeof fine> {
    const permitted = operations.filter((operation) => operation.roles.includes(role));
    const cases = permitted.map((operation) => ({ operation, request: fixtures[operation.id]!.make(tenant, tenant, role) }));
    return callAll(cases, tenant.bearers[role], ({ operation }, response) => {
      if (leaks(response.text, tenants.foreign, tenants.sibling)) return 'leaks';
      if (response.status !== 200) return `answers ${response.status}`;
      const shown = fixtures[operation.id]!.shows?.(tenant) ?? '';
      return response.text.includes(shown) ? undefined : 'does not show its own';
    });
  }

  test('LOG-02-partial every reading shows its own and nothing else, changes nothing and is not logged', async () => {
    const readings = Map.groupBy(secured.filter(isReading), ({ id }) => fixtures[id]!.prepare);
    const untouched = await tenants.another();
    for (const role of roles) expect(await readAll(readings.get(undefined)!, untouched, role)).toEqual(fine);
    readings.delete(undefined);
    const prepared = await tenants.another();
    for (const [prepare, operations] of readings) {
      await prepare!(prepared, server.seeding, server);
      for (const role of roles) expect(await readAll(operations, prepared, role)).toEqual(fine);
    }
  });
});

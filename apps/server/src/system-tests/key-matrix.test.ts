import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { inject } from '../testing/inject.ts';
import { sendCall, type MatrixResponse } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import type { Request } from '../testing/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { buildTenants, type Tenant, type Tenants } from '../testing/tenants.ts';

// Every registered operation × API keys of an organization and of a main account (HKS-02): what a key can be allowed is a rule over
// the contract, and what it was not allowed is rejected. Foreign ids read as missing whatever it was allowed. Some calls of each
// key show that what was allowed works as for its maker, and names the key in the log.

const KEYS = '/data_manager/v1/dm/api_keys';

let server: TestServer;
let tenants: Tenants;

beforeAll(async () => {
  server = await startTestServer();
  tenants = await buildTenants(server.seeding);
});
afterAll(() => server.close());

const secured = allOperations.filter(({ scope }) => scope !== 'public');
const areaOf = ({ id }: AnyOperation) => id.split('.', 1)[0]!;
const ids = (operations: readonly AnyOperation[]) => operations.map(({ id }) => id).sort();

/** Belong to people: no key can be allowed anything of these. */
const ofPeople = ['accounts', 'colleagues', 'secondFactor', 'apiKeys', 'remoteAccess', 'roles', 'scim'];

/** Keys by who made them for what, with calls whose effect is shown: readings, one that is logged, changes and files. */
const makers = [
  {
    of: 'organization',
    role: 'admin',
    isOfMain: false,
    samples: `devices.list geofences.list configs.read configs.upload devices.save groups.create commands.add notifications.save
      webhooks.create jobs.start`,
  },
  {
    of: 'main account',
    role: 'main',
    isOfMain: true,
    samples: `devices.list geofences.list organizations.list organizations.create inventory.add firmware.upload devices.add
      notifications.save webhooks.create jobs.start`,
  },
  {
    of: 'organization by its main account',
    role: 'main',
    isOfMain: false,
    samples: `devices.list geofences.list logs.list alerts.addRule usagePlans.add views.add devices.add notifications.save
      webhooks.create jobs.start`,
  },
] as const;

describe.each(makers)('HKS-02-partial a key of an $of', ({ role, isOfMain, ...maker }) => {
  const samples = maker.samples.split(/\s+/u);
  let secret: string;
  const orgOf = ({ organizationId }: Tenant) => (isOfMain ? {} : { org: organizationId });

  async function grantable(tenant: Tenant): Promise<string[]> {
    const call = { as: { sessionId: tenant.bearers[role] }, query: orgOf(tenant) };
    const { json } = await inject(server, 'GET', `${KEYS}/operations`, call);
    return (json.result as { operations: { id: string }[] }[]).flatMap(({ operations }) => operations.map(({ id }) => id));
  }

  async function mint(tenant: Tenant, operations: readonly string[]): Promise<string> {
    const body = { ...orgOf(tenant), name: `Key of ${role}`, operations };
    const { json, text } = await inject(server, 'POST', KEYS, { as: { sessionId: tenant.bearers[role] }, body });
    expect(json.secret, text).toMatch(/^hlk_/u);
    return json.secret as string;
  }

  beforeAll(async () => {
    secret = await mint(tenants.own, await grantable(tenants.own));
  });

  test('can be allowed what its maker may do in its scope, and nothing about people, keys and remote connections', async () => {
    const expected = secured.filter((operation) => {
      const { id, scope, roles } = operation;
      if (ofPeople.includes(areaOf(operation)) || scope === 'account' || !roles.includes(role)) return false;
      // The key would end in the middle of the call.
      return isOfMain || (scope !== 'main' && id !== 'organizations.delete');
    });
    expect((await grantable(tenants.own)).sort()).toEqual(ids(expected));
    expect(ids(expected)).toEqual(expect.arrayContaining(samples));
  });

  test('is rejected by every operation that it was not allowed', async () => {
    const { own } = tenants;
    const little = await mint(own, ['groups.list']);
    expect(
      await unexpectedOf(
        secured
          .filter(({ id }) => id !== 'groups.list')
          .map((operation) => [operation, fixtures[operation.id]!.make(own, own, role)]),
        little,
        ({ status, text }) => status === 403 && text.includes('"key":"key.not_allowed"'),
      ),
    ).toEqual([]);
  });

  test('finds nothing of another main account, and one of an organization nothing of its siblings, whatever it was allowed', async () => {
    const { own, foreign, sibling } = tenants;
    const cases = secured.flatMap((operation): [AnyOperation, Request][] => {
      const { make, names } = fixtures[operation.id]!;
      if (names === 'nothing') return [];
      if (names === 'main-ids') return [[operation, make(own, foreign)]];
      const ofSibling: [AnyOperation, Request][] = isOfMain ? [] : [[operation, make(sibling, sibling)]];
      return [[operation, make(foreign, foreign)], ...ofSibling];
    });
    const canaries = [...foreign.canaries, ...(isOfMain ? [] : sibling.canaries)];
    expect(
      await unexpectedOf(
        cases,
        secret,
        ({ status, text }) => [403, 404].includes(status) && !canaries.some((canary) => text.includes(canary)),
      ),
    ).toEqual([]);
  });

  test('makes the calls of its maker, and the log names it', async () => {
    const tenant = await tenants.another();
    const allowed = await mint(tenant, await grantable(tenant));
    const named: string[] = [];
    for (const id of samples) {
      const operation = secured.find((each) => each.id === id)!;
      const { make, shows } = fixtures[id]!;
      const response = await sendCall(server, operation, make(tenant, tenant, role), allowed);
      expect([response.status, response.text.includes(shows?.(tenant) ?? '')], `${id}: ${response.text}`).toEqual([200, true]);
      // Contents that may hold passwords: reading them is logged.
      if (operation.method !== 'GET' || id === 'configs.read') named.push(id);
    }
    const { rows } = await server.owner.query<{ actor_key: string | null }>(
      `select actor_key from audit_entries where chain_id in ($1, $2) and actor_email = $3`,
      [tenant.organizationId, tenant.mainAccountId, (await makerOf(tenant)).email],
    );
    const keys = rows.map(({ actor_key: key }) => key);
    // The key itself was minted by the person.
    expect(keys.filter((key) => key === null)).toHaveLength(1);
    expect(keys.filter((key) => key !== null)).toEqual(
      named.map(() => expect.stringMatching(new RegExp(`^Key of ${role} \\(hlk_.{4}….{4}\\)$`, 'u'))),
    );
  });

  async function makerOf({ users }: Tenant): Promise<{ email: string }> {
    const { rows } = await server.owner.query<{ email: string }>('select email from accounts where id = $1', [users[role]]);
    return rows[0]!;
  }
});

/** Make calls with a key. @returns those whose answer is another than expected */
async function unexpectedOf(
  cases: readonly (readonly [AnyOperation, Request])[],
  secret: string,
  isExpected: (response: MatrixResponse) => boolean,
): Promise<string[]> {
  const others: string[] = [];
  for (const [operation, request] of cases) {
    const response = await sendCall(server, operation, request, secret);
    if (!isExpected(response)) others.push(`${operation.id} ${JSON.stringify(request)} → ${response.status} ${response.text}`);
  }
  return others;
}

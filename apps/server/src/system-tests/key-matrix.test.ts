import type { Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { ask } from '../testing/call.ts';
import { sendCall } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import type { Request } from '../testing/matrix-fixtures/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { createTenantInTurn } from '../testing/tenant-in-turn.ts';
import { buildTenants, type Tenant, type Tenants } from '../testing/tenants.ts';

// Every registered operation × API keys of an organization and of a main account (HKS-02): what a key was not allowed is rejected,
// what it was allowed works as for its maker, and names the key in the log.

const KEYS = '/data_manager/v1/dm/api_keys';

let server: TestServer;
let tenants: Tenants;

beforeAll(async () => {
  server = await startTestServer();
  tenants = await buildTenants(server.seeding);
});
afterAll(() => server.close());

const secured = allOperations.filter(({ scope }) => scope !== 'public');

/** Ids of the operations that a maker may allow. */
async function grantable(bearer: string, org?: string): Promise<string[]> {
  const query = org === undefined ? '' : `?org=${org}`;
  const groups = await ask<{ operations: { id: string }[] }[]>(`${server.url}${KEYS}/operations${query}`, { bearer });
  return groups.flatMap(({ operations }) => operations.map(({ id }) => id));
}

interface Minted {
  readonly secret: string;
  readonly operations: ReadonlySet<string>;
}

/** A key with everything that its maker may allow. @param org of the organization; left out = of the main account itself */
async function mint(tenant: Tenant, role: 'main' | 'admin', org?: string): Promise<Minted> {
  const bearer = tenant.bearers[role];
  const operations = await grantable(bearer, org);
  const response = await fetch(`${server.url}${KEYS}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...(org !== undefined && { org }), name: `All of ${role}`, operations }),
  });
  const { secret } = (await response.json()) as { secret: string };
  expect(secret).toMatch(/^hlk_/u);
  return { secret, operations: new Set(operations) };
}

const send = (operation: AnyOperation, request: Request, bearer: string) => sendCall(server.url, operation, request, bearer);

/** The log entries of a tenant since a position, with the key they name. */
async function entriesOf(tenant: Tenant, after: readonly number[]): Promise<(string | null)[]> {
  const { rows } = await server.owner.query<{ actor_key: string | null }>(
    `select actor_key from audit_entries where (chain_id = $1 and seq > $3) or (chain_id = $2 and seq > $4)`,
    [tenant.organizationId, tenant.mainAccountId, ...after],
  );
  return rows.map(({ actor_key: key }) => key);
}

async function headsOf({ organizationId, mainAccountId }: Tenant): Promise<number[]> {
  const { rows } = await server.owner.query<{ seq: string; chain_id: string }>(
    'select chain_id, seq from audit_heads where chain_id in ($1, $2)',
    [organizationId, mainAccountId],
  );
  return [organizationId, mainAccountId].map((id) => Number(rows.find(({ chain_id: chain }) => chain === id)?.seq ?? 0));
}

test('HKS-02-partial no key can be allowed anything about keys, accounts, second factors or remote connections', async () => {
  const { own } = tenants;
  const all = [...(await grantable(own.bearers.main)), ...(await grantable(own.bearers.admin))];
  expect(all).toEqual(expect.arrayContaining(['devices.list', 'groups.create', 'inventory.add', 'jobs.start']));
  expect(all.filter((id) => /^(?:apiKeys|accounts|colleagues|secondFactor|remoteAccess)\./u.test(id))).toEqual([]);
});

const makers = [
  { of: 'organization', role: 'admin' },
  { of: 'main account', role: 'main' },
  { of: 'organization by its main account', role: 'main' },
] as const satisfies readonly { of: string; role: Role }[];

describe.each(makers)('HKS-02-partial a key of an $of', ({ of, role }) => {
  let foreignOk: Minted;
  let readOnly: Tenant;
  let readKey: Minted;
  let inTurn: ReturnType<typeof createTenantInTurn>;
  const keys = new WeakMap<Tenant, Minted>();
  const keyOf = async (tenant: Tenant) => {
    const key = keys.get(tenant) ?? (await mint(tenant, role, orgOf(tenant)));
    keys.set(tenant, key);
    return key;
  };
  const orgOf = (tenant: Tenant) => (of === 'main account' ? undefined : tenant.organizationId);
  beforeAll(async () => {
    foreignOk = await mint(tenants.own, role, orgOf(tenants.own));
    readOnly = await tenants.another();
    readKey = await mint(readOnly, role, orgOf(readOnly));
    inTurn = createTenantInTurn(tenants);
  });

  test.each(secured.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    const { make, names, prepare, shows } = fixtures[id]!;
    // Foreign ids read as missing, also with every right.
    if (names !== 'nothing')
      for (const request of names === 'main-ids'
        ? [make(tenants.own, tenants.foreign)]
        : [make(tenants.foreign, tenants.foreign)]) {
        const answer = await send(operation, request, foreignOk.secret);
        expect([403, 404], answer.text).toContain(answer.status);
        for (const canary of tenants.foreign.canaries) expect(answer.text).not.toContain(canary);
      }
    if (of !== 'main account' && (names === 'ids' || names === 'organization')) {
      const answer = await send(operation, make(tenants.sibling, tenants.sibling), foreignOk.secret);
      expect([403, 404], answer.text).toContain(answer.status);
      for (const canary of tenants.sibling.canaries) expect(answer.text).not.toContain(canary);
    }
    if (!readKey.operations.has(id)) {
      const rejected = await send(operation, make(readOnly, readOnly, role), readKey.secret);
      expect([rejected.status, JSON.parse(rejected.text).error.key]).toEqual([403, 'key.not_allowed']);
      return;
    }
    const works = async (tenant: Tenant, { secret }: Minted) => {
      const before = await headsOf(tenant);
      const answer = await send(operation, make(tenant, tenant, role), secret);
      expect(answer.status, answer.text).toBe(200);
      if (shows !== undefined) expect(answer.text).toContain(shows(tenant));
      const named = await entriesOf(tenant, before);
      for (const key of named) expect(key).toMatch(/^All of (?:main|admin) \(hlk_.{4}….{4}\)$/u);
      // Contents that may hold passwords: reading them is logged.
      if (operation.method === 'GET') expect(named).toHaveLength(id === 'configs.read' ? 1 : 0);
    };
    if (prepare !== undefined) {
      const tenant = await tenants.another();
      const key = await mint(tenant, role, orgOf(tenant));
      await prepare(tenant, server.seeding, server);
      await works(tenant, key);
    } else if (operation.method === 'GET') await works(readOnly, readKey);
    else await inTurn(async (tenant) => works(tenant, await keyOf(tenant)));
  });
});

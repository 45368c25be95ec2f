import type { Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { isReading, sendCall } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import type { Request } from '../testing/matrix-fixtures/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
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

/**
 * All data of a tenant as one text, which a rejected call must leave unchanged. Notification mails are sent by a job, not by a
 * call, and are left out.
 */
async function snapshot(tenant: Tenant): Promise<string> {
  const { rows } = await server.owner.query<{ fingerprint: string }>(
    `select coalesce(string_agg(line, E'\\n' order by line), '') as fingerprint from (
       select 'o' || o::text as line from organizations o where id = $1
       union all select 'd' || d::text from (select id, group_key, vehicle_number, note, tags, archived_at, version from devices where organization_id = $1) d
       union all select 'g' || g::text from groups g where organization_id = $1
       union all select 'a' || a::text from accounts a where organization_id = $1 or (main_account_id = $2 and organization_id is null)
       union all select 'x' || x.account_id::text || (x.confirmed_at is null)::text from second_factors x join accounts a on a.id = x.account_id where a.main_account_id = $2
       union all select 's' || s.account_id::text || encode(s.bearer_hash, 'hex') from sessions s join accounts a on a.id = s.account_id where a.main_account_id = $2
       union all select 'r' || r::text from (select id, serial, secret_hash, previous_secret_hash, organization_id, device_id from routers where main_account_id = $2) r
       union all select 'f' || f::text from firmware f where main_account_id = $2
       union all select 'c' || c::text from config_files c where organization_id = $1
       union all select 'v' || v::text from config_versions v where organization_id = $1
       union all select 'b' || b::text from bindings b where organization_id = $1
       union all select 't' || t::text from (select binding_id, device_id, state from rollout_targets where organization_id = $1) t
       union all select 'e' || e::text from esim_profiles e where organization_id = $1
       union all select 'n' || n::text from notification_subscriptions n where organization_id = $1
       union all select 'm' || m::text from mails m where organization_id = $1 and kind <> 'notification'
       union all select 'e' || e::text from remote_sessions e where organization_id = $1
       union all select 'p' || p::text from saved_reports p where organization_id = $1
       union all select 'h' || h::text from pinned_charts h where organization_id = $1
       union all select 'k' || k::text from custom_commands k where organization_id = $1
       union all select 'c' || c::text from custom_properties c where organization_id = $1
       union all select 'v' || v::text from device_properties v where organization_id = $1
       union all select 'i' || i::text from api_keys i where organization_id = $1
       union all select 'j' || j::text from bulk_jobs j where organization_id = $1
       union all select 'y' || y::text from group_controls y where organization_id = $1
       union all select 'w' || w::text from saved_views w where organization_id = $1
       union all select 'z' || z::text from geofences z where organization_id = $1
       union all select 'u' || u::text from alert_rules u where organization_id = $1
       union all select 'q' || q::text from alerts q where organization_id = $1
       union all select 'h' || h::text from webhook_endpoints h where organization_id = $1
       union all select 'd' || d.id::text || d.state || d.attempts::text from webhook_deliveries d where organization_id = $1
       union all select 'p' || p::text from usage_plans p where organization_id = $1
       union all select 's' || s::text from (select iccid, chosen_plan_id from usage_sims where organization_id = $1) s
       union all select 'b' || b::text from usage_zones b where organization_id = $1
       union all select 'l' || l.seq::text from audit_heads l where chain_id in ($1, $2)
     ) lines`,
    [tenant.organizationId, tenant.mainAccountId],
  );
  return rows[0]!.fingerprint;
}

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
  const look = () => Promise.all([tenants.foreign, tenants.sibling].map((tenant) => snapshot(tenant)));
  beforeAll(async () => {
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
    expect(before.every((text) => text !== '')).toBe(true);
    expect(await look()).toEqual(before);
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

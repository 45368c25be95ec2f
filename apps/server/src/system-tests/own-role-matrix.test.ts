import { mayVisitorCall, rightOf } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { inject } from '../testing/inject.ts';
import { isReading, sendCall } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import { PEOPLES_PASSWORD } from '../testing/second-factor.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { buildTenants, type Tenant, type Tenants } from '../testing/tenants.ts';

// IAM-03: every registered operation × a person with an own role that has every other right, and one that has the rest: what is listed under a right of the
// role answers as for an admin, or the main account; what is listed under another one, or under none, answers 403 with its sentence.

const ROLES = '/dmp_aa/api/v1/own_roles';
const OWN_ROLE = 'Your role does not allow this.';

let server: TestServer;
let tenants: Tenants;
let own: Tenant;

beforeAll(async () => {
  server = await startTestServer({ offlineSeconds: 3_600 });
  tenants = await buildTenants(server.seeding);
  ({ own } = tenants);
});
afterAll(() => server.close());

const secured = allOperations.filter(({ scope }) => scope !== 'public');

/** The console of everyone calls these, whatever its person may open. */
const everyConsole =
  `live.stream logs.key organizations.list places.describe search.find views.add views.delete views.list views.save
  accounts.get accounts.introspect accounts.signOut accounts.signOutEverywhere accounts.endSession accounts.listSessions accounts.listAdmins
  accounts.loginStatus accounts.addPasskey accounts.beginPasskey accounts.deletePasskey accounts.listPasskeys
  secondFactor.begin secondFactor.confirm secondFactor.end secondFactor.get identityProviders.confirmation identityProviders.beginConfirmation visits.enter visits.leave visits.list`.split(
    /\s+/u,
  );

/** They end the session that the others need. */
const endsSessions: ReadonlySet<string> = new Set([
  'accounts.signOut',
  'accounts.signOutEverywhere',
  'accounts.endSession',
  // The session acts elsewhere from then on, or at home.
  'visits.enter',
  'visits.leave',
]);

interface RightGroup {
  readonly area: string;
  readonly access: string;
  readonly operations: readonly { readonly id: string }[];
}

const halves = [0, 1] as const;
const bases = [
  { of: 'organization', whole: 'admin' },
  { of: 'main account', whole: 'main' },
] as const;

describe.each(bases)('IAM-03 roles of an $of', ({ whole }) => {
  let groups: readonly RightGroup[];
  const org = () => (whole === 'admin' ? { org: own.organizationId } : {});
  const as = () => ({ sessionId: own.bearers[whole] });
  const bearers: string[] = [];
  const allowed: ReadonlySet<string>[] = [];
  const chosenRights: ReadonlySet<string>[] = [];

  beforeAll(async () => {
    const { json } = await inject(server, 'GET', `${ROLES}/rights`, { as: as(), query: org() });
    groups = json.result as readonly RightGroup[];
    for (const half of halves) {
      const chosen = groups.filter((_, index) => index % 2 === half);
      const rights = chosen.map(({ area, access }) => `${area}.${access}`);
      chosenRights[half] = new Set(rights);
      const made = await inject(server, 'POST', ROLES, {
        as: as(),
        body: { ...org(), name: `Half ${half} of ${whole}`, rights },
      });
      const email = `half-${half}-${whole}@highline.invalid`;
      const person = await server.seeding.account(
        {
          mainAccountId: own.mainAccountId,
          ...(whole === 'admin' ? { kind: 'organization', organizationId: own.organizationId } : { kind: 'main' }),
        },
        email,
        whole === 'admin' ? 'user' : 'main',
      );
      const given = await inject(server, 'PUT', `/dmp_aa/api/v1/accounts/${person}/own_role`, {
        as: as(),
        body: { role: made.json.result.id as string },
      });
      if (given.status !== 200) throw new Error(made.text + given.text);
      await server.seeding.password(person, PEOPLES_PASSWORD);
      bearers[half] = await server.seeding.bearer(person);
      const listed = chosen.flatMap(({ operations }) => operations.map(({ id }) => id));
      // The effect of a change is shown before it.
      const shown = rights.some((right) => right === 'devices.write' || right === 'groups.write') ? ['bindings.moveImpact'] : [];
      allowed[half] = new Set([...listed, ...shown, ...everyConsole]);
    }
  });

  test('the rights are what an admin, or the main account, may do, without people, keys and roles', () => {
    const listed = groups.flatMap(({ operations }) => operations.map(({ id }) => id));
    const ofPeople = /^(?:accounts|apiKeys|approvals|colleagues|identityProviders|roles|scim|secondFactor|visits)\./u;
    // They give people what stays when the role is gone.
    const givesRights = ['groups.changeControl', 'groups.controls', 'remoteAccess.saveClientRule'];
    const mine = secured.filter(({ roles }) => roles.includes(whole)).map(({ id }) => id);
    const isGiven = (id: string) => !ofPeople.test(id) && !everyConsole.includes(id) && !givesRights.includes(id);
    expect(listed.toSorted()).toEqual(mine.filter((id) => isGiven(id)).toSorted());
  });

  test.each(halves)('half %s: what its rights do not have is rejected', async (half) => {
    const faults: string[] = [];
    for (const operation of secured) {
      if (allowed[half]!.has(operation.id)) continue;
      const request = fixtures[operation.id]!.make(own, own, whole);
      const { status, text } = await sendCall(server, operation, request, bearers[half]);
      const sentence = operation.roles.includes(whole) ? OWN_ROLE : 'Permission denied';
      if (status !== 403 || !text.includes(sentence)) faults.push(`${operation.id} answers ${status}: ${text.slice(0, 200)}`);
    }
    expect(faults).toEqual([]);
  });

  test.each(halves)('half %s: what its rights have is read', async (half) => {
    const faults: string[] = [];
    for (const operation of secured.filter((each) => mayTry(each, half) && isReading(each))) {
      const { id } = operation;
      await fixtures[id]!.prepare?.(own, server.seeding, server);
      const request = id === 'accounts.get' ? { params: { id: await ownId(half) } } : fixtures[id]!.make(own, own, whole);
      const { status, text } = await sendCall(server, operation, request, bearers[half]);
      if (status !== 200 && !needsAnother(text, half)) faults.push(`${id} answers ${status}: ${text.slice(0, 200)}`);
    }
    expect(faults).toEqual([]);
  });

  test.each(halves)('half %s: ids of others are missing', async (half) => {
    const faults: string[] = [];
    for (const operation of secured.filter((each) => mayTry(each, half) && fixtures[each.id]!.names === 'ids')) {
      const foreign = whole === 'main' ? tenants.foreign : tenants.sibling;
      const request = fixtures[operation.id]!.make(own, foreign, whole);
      const { status, text } = await sendCall(server, operation, request, bearers[half]);
      if (status !== 404 && !needsAnother(text, half)) faults.push(`${operation.id} answers ${status}: ${text.slice(0, 200)}`);
    }
    expect(faults).toEqual([]);
  });

  const visitors: readonly (0 | 1)[] = whole === 'main' ? halves : [];
  test.each(visitors)('half %s: as support in an organization, no more than that', async (half) => {
    await fixtures['visits.enter']!.prepare?.(own, server.seeding, server);
    const bearer = await server.seeding.bearer(await ownId(half));
    const enter = secured.find(({ id }) => id === 'visits.enter')!;
    const entered = await sendCall(server, enter, fixtures['visits.enter']!.make(own, own, 'main'), bearer);
    expect(entered.status, entered.text).toBe(200);
    const faults: string[] = [];
    let made = 0;
    for (const operation of secured.filter(({ id }) => !endsSessions.has(id))) {
      const { id, roles } = operation;
      const mayMake =
        roles.includes('admin') && mayVisitorCall(id, false) && (everyConsole.includes(id) || mayDo(operation, half));
      if (mayMake && (!isReading(operation) || fixtures[id]!.names !== 'nothing')) continue;
      const { status, text } = await sendCall(server, operation, fixtures[id]!.make(own, own, 'admin'), bearer);
      if (mayMake && status === 200) made += 1;
      if (mayMake ? status !== 200 && !needsAnother(text, half) : status !== 403)
        faults.push(`${id} answers ${status}: ${text.slice(0, 200)}`);
    }
    expect(faults).toEqual([]);
    expect(made).toBeGreaterThan(0);
  });

  const mayDo = (operation: AnyOperation, half: 0 | 1) => chosenRights[half]!.has(rightOf(operation));

  const mayTry = ({ id, roles }: AnyOperation, half: 0 | 1) =>
    allowed[half]!.has(id) && roles.includes(whole) && !endsSessions.has(id);

  /** It has the effect of another call, which the other half has: a job that deletes devices, or what a summary reads. */
  const needsAnother = (text: string, half: 0 | 1) => {
    const [, other] = /"key":"permission.own_role".*"operation":"([^"]+)"/u.exec(text) ?? [];
    return other !== undefined && !allowed[half]!.has(other);
  };

  async function ownId(half: 0 | 1): Promise<string> {
    const { json } = await inject(server, 'POST', '/dmp_aa/api/v2/auth/introspect/', { as: { sessionId: bearers[half]! } });
    return json.result.id as string;
  }
});

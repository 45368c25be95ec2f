import type { Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Actor } from '../kernel/index.ts';
import type { AnyOperation } from '../platform/calls/call.ts';
import { until } from '../testing/call.ts';
import { superuserOf } from '../testing/database.ts';
import type { Database } from '../platform/ports/index.ts';
import { DEVICES, ENTRIES, fillTenant } from '../testing/large-fleet.ts';
import { isReading } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import { nodesOf, recordPlans, type PlannedStatement } from '../testing/plans.ts';
import { useTestApp } from '../testing/test-app.ts';
import { buildTenants, type Tenant } from '../testing/tenants.ts';

// How PostgreSQL runs each statement of each call that reads, in an organization of 10,000 devices: every order, filter and searched field of the
// contract, so that a new list is tested without being added here.

const PAGE = 50;
/** Rows that a page may read in its order, without a filter: its own, those of joined tables, and some that it skips. */
const MOST_OF_PAGE = 20 * PAGE;
/** Rows that a total, a search or a filter may read: some tables once, never one of them for each row of another. */
const MOST_OF_ALL = 4 * DEVICES;
/** Rows that may be sorted. */
const MOST_SORTED = 20 * PAGE;
/** Tables with fewer rows are read as a whole. */
const LARGE = ENTRIES - 1_000;
/** A bound for what hangs. */
const TIMEOUT_MS = 900_000;

/** Connections of a pool of tests, and more. */
const MOST_CONNECTIONS = 16;

/**
 * The pool may not have noticed yet that connections were ended, and would answer a call with 503: as many statements at once as make it use
 * each of them.
 */
const dropEndedConnections = (database: Database) =>
  until(async () => {
    const probe = () => sql`select pg_sleep(0.05)`.execute(database.read);
    const probes = await Promise.allSettled(Array.from({ length: MOST_CONNECTIONS }, probe));
    return probes.every(({ status }) => status === 'fulfilled');
  });

const noRouter = () => Promise.reject(new Error('No router is connected in this test.'));

const app = useTestApp(new Date().toISOString());
let own: Tenant;
let superuser: Client;
let large: ReadonlySet<string>;
let plans: Awaited<ReturnType<typeof recordPlans>>;
let actors: Record<Role, Actor>;

beforeAll(async () => {
  own = (await buildTenants(app.seeding)).own;
  superuser = new Client(superuserOf(app.owner.database!));
  await superuser.connect();
  await fillTenant(superuser, own);
  const { rows } = await superuser.query<{ name: string }>(
    'select relname as name from pg_class where relkind = $1 and reltuples > $2',
    ['r', LARGE],
  );
  large = new Set(rows.map(({ name }) => name));
  plans = await recordPlans(superuser);
  await dropEndedConnections(app.database);
  const { mainAccountId, organizationId } = own;
  const organization = { kind: 'organization', mainAccountId, organizationId } as const;
  actors = {
    main: app.person({ kind: 'main', mainAccountId }, 'main'),
    admin: app.person(organization, 'admin'),
    user: app.person(organization, 'user'),
  };
}, TIMEOUT_MS);
afterAll(async () => {
  plans.stop();
  await superuser.end();
});

/** Calls that ask a router, and none is connected. */
const elsewhere = (id: string) => id.startsWith('remoteAccess.');

/** They are answered by a router, or are about one device; of the database they read rows by its id. */
const ofRouters: ReadonlySet<string> = new Set([
  'networks.read',
  'networks.clientUse',
  'settings.ofDevice',
  'settings.running',
  'tools.offered',
  'devices.actions',
  'commands.actions',
]);

/** Checks the password of the person who is signed in, and no one here has one; of the database it reads rows by the id of that person. */
const ofOneself: ReadonlySet<string> = new Set(['accounts.beginPasskey']);

const readings = allOperations.filter(
  (operation) =>
    isReading(operation) &&
    operation.scope !== 'public' &&
    operation.sends !== 'events' &&
    // Reads a file, and no table.
    operation.bodyKind !== 'multipart' &&
    !elsewhere(operation.id) &&
    !ofRouters.has(operation.id) &&
    !ofOneself.has(operation.id),
);

/** The values of a query field that its schema lists. */
function optionsOf(schema: z.ZodType): readonly string[] {
  const { def, options } = schema as unknown as { def?: { innerType?: z.ZodType }; options?: readonly unknown[] };
  if (def?.innerType !== undefined) return optionsOf(def.innerType);
  return Array.isArray(options) && options.every((option) => typeof option === 'string') ? options : [];
}

/** Values of the fields that list none. */
const values: Readonly<Record<string, readonly string[]>> = {
  group: ['group7'],
  carrier: ['Verizon'],
  tag: ['night'],
  search: ['4711'],
  text: ['4711', 'HL00012345', 'Bus 77'],
};
/** They say how a response is written, or what it is about: not which rows of a list are read. */
const FORMS = /^(?:language|format|zone|layout|realm|org|limit|columns|only|ignoreCase|sort|field|device|project|name)$/u;

interface Sent {
  readonly query: Readonly<Record<string, string>>;
  /** All rows are listed, in some order. */
  readonly isWhole: boolean;
}

/** The queries of a call: a page without any, in each order, with each filter and each searched field. */
function queriesOf({ query, sends }: AnyOperation): Sent[] {
  const { shape } = query as z.ZodObject<Record<string, z.ZodType>>;
  const isPaged = 'limit' in shape;
  const sorts = 'sort' in shape ? optionsOf(shape['sort']).map((sort) => ({ sort })) : [];
  // A file has all rows in the order of its list.
  if (sends !== 'json') return [{ query: {}, isWhole: false }];
  const filters = Object.entries(shape).flatMap(([field, schema]) => {
    if (FORMS.test(field)) return [];
    const fields = field === 'search' ? optionsOf(shape['field']!).map((name) => ({ field: name })) : [{}];
    const options = optionsOf(schema);
    const tried = options.length > 0 ? options : (values[field] ?? []);
    // What is not paged reads all that match: one value of each filter shows how.
    return tried.slice(0, isPaged ? undefined : 1).flatMap((value) => fields.map((also) => ({ ...also, [field]: value })));
  });
  const limit = isPaged ? { limit: String(PAGE) } : {};
  return [
    ...[{}, ...sorts].map((each) => ({ query: { ...limit, ...each }, isWhole: isPaged })),
    ...filters.map((each) => ({ query: { ...limit, ...each }, isWhole: false })),
  ];
}

interface Call extends Sent {
  readonly operation: AnyOperation;
  readonly role: Role;
}

/** An admin's calls in every form, and those of the main account about all of its organizations. What a user sees is read as an admin's. */
const callsOf = (operation: AnyOperation): Call[] =>
  operation.roles.flatMap((role) => {
    const isOther = role !== 'admin' && operation.roles.includes('admin');
    if (isOther && (role === 'user' || operation.sends !== 'json')) return [];
    return queriesOf(operation)
      .slice(0, isOther ? 1 : undefined)
      .map((sent) => ({ ...sent, operation, role }));
  });

async function plansOf({ operation, role, query }: Call): Promise<readonly PlannedStatement[]> {
  const { org, ...request } = fixtures[operation.id]!.make(own, own, role).query ?? {};
  const { params, body } = fixtures[operation.id]!.make(own, own, role);
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  // Without an organization, the main account's response is about all of them.
  const scope = org === undefined || (role === 'main' && operation.scope === 'tenant') ? {} : { org };
  let status = 0;
  const found = await plans.of(async () => {
    ({ status } = await app.call(operation.method, path, { as: actors[role], query: { ...request, ...scope, ...query }, body }));
  });
  expect([200, 400, 404], `${operation.id} ${role} ${JSON.stringify(query)}`).toContain(status);
  return found;
}

/** Rows that the statements of a call read or sort at most, where its list needs more than its page. */
interface Needs {
  readonly read?: number;
  readonly sorted?: number;
}

/** 2,000 groups, organizations or files are sorted as a whole: no index has what their orders are made of. */
const SHORT: Needs = { read: 2_500, sorted: 2_100 };

/** So are the people that the organization has, more than any. */
const MANY: Needs = { read: 2_800, sorted: 2_600 };

const needs: Readonly<Record<string, Needs>> = {
  'accounts.export': MANY,
  'accounts.list': MANY,
  // Accounts, and addresses that are informed.
  'alertPeople.list': { read: 4_500, sorted: 3_600 },
  'bindings.list': SHORT,
  'configs.list': SHORT,
  'groups.controls': MANY,
  'groups.export': SHORT,
  // The places of all groups, before the page is cut from them, with their bindings.
  'groups.list': { ...SHORT, read: 70_000 },
  // The firmware that the routers of each model run.
  'firmware.list': { ...SHORT, read: 8_100 },
  // With the contacts and figures of each.
  'organizations.list': { read: 10_000, sorted: 2_600 },
  'inventory.list': { read: 2_500 },
  // Sums of a month by SIM, vehicle or group.
  'usage.list': { read: 17_000, sorted: 9_000 },
  'usage.export': { read: 440_000, sorted: 4_100 },
  // States are sorted by how much they matter, and names are those of the devices.
  'rollouts.targets': { read: 15_000, sorted: 4_100 },
  // By vehicle number, or serial number without one.
  'reports.devices': { read: 11_000, sorted: 11_000 },
  'devices.export': { sorted: 11_000 },
  // Devices, their contacts, owners and positions, twice.
  'positions.map': { read: 66_000 },
  // The whole data set: devices, their owners, positions and groups.
  'positions.feed': { sorted: 11_000 },
  // The totals of all vehicles: their order is a difference of two of them.
  'coverage.vehicles': { read: 13_000 },
  // Every vehicle is in it, also without an outage, with the time in which it had a router.
  'outages.sumOutages': { read: 52_000, sorted: 11_000 },
  'outages.exportSums': { read: 52_000, sorted: 11_000 },
};

/** What a plan does that grows with the fleet, as sentences. */
function faultsOf({ operation, role, query, isWhole }: Call, { text, plan }: PlannedStatement): string[] {
  const nodes = [...nodesOf(plan)];
  const read = Math.round(nodes.reduce((sum, each) => sum + each.read, 0));
  const isPage = isWhole && !plan['Node Type'].includes('Aggregate');
  const ofCall = needs[operation.id];
  const mostSorted = ofCall?.sorted ?? MOST_SORTED;
  const mostRead = Math.max(isPage ? MOST_OF_PAGE : MOST_OF_ALL, ofCall?.read ?? 0);
  const found = nodes.flatMap(({ node }) => {
    const name = node['Node Type'];
    if (name === 'Seq Scan' && large.has(node['Relation Name']!)) return [`Seq Scan on ${node['Relation Name']}`];
    const [input] = node.Plans ?? [];
    const sorted = Math.round((input?.['Actual Rows'] ?? 0) * (input?.['Actual Loops'] ?? 0));
    return name === 'Sort' && sorted > mostSorted
      ? [`Sort by ${node['Sort Key']?.join(', ')} of ${sorted} rows, ${mostSorted} at most`]
      : [];
  });
  if (read > mostRead) found.push(`${plan['Node Type']} reads ${read} rows, ${mostRead} at most`);
  const about = `${operation.id} of ${role} with ${new URLSearchParams(query).toString()}`;
  return found.map((fault) => `${about}: ${fault}, in: ${text.replaceAll(/\s+/gu, ' ').slice(0, 200)}`);
}

test(
  'NOD-05-partial SAY-10-partial with 10,000 devices no statement of a call reads or sorts more than its page or its total needs',
  { timeout: TIMEOUT_MS },
  async () => {
    const faults: string[] = [];
    let statements = 0;
    for (const operation of readings) {
      await fixtures[operation.id]!.prepare?.(own, app.seeding, { url: '', owner: app.owner, connectRouter: noRouter });
      for (const call of callsOf(operation)) {
        const found = await plansOf(call);
        statements += found.length;
        faults.push(...found.flatMap((statement) => faultsOf(call, statement)));
      }
    }
    expect(faults).toEqual([]);
    expect(statements).toBeGreaterThan(500);
  },
);

test.each([
  ['devices_by_firmware_with_group', 'devices.list', 'firmware'],
  ['esims_by_apn', 'esims.list', 'apn'],
  ['routers_by_state', 'inventory.list', 'presence'],
])('without the index %s, %s by %s is a fault', { timeout: TIMEOUT_MS }, async (index, id, sort) => {
  await superuser.query(`drop index ${index}`);
  const operation = readings.find((each) => each.id === id)!;
  const call = callsOf(operation).find(({ query, role }) => query['sort'] === sort && role !== 'user')!;
  const faults = (await plansOf(call)).flatMap((statement) => faultsOf(call, statement));
  expect(faults.join('\n')).toMatch(
    new RegExp(`^${id} of \\w+ with limit=50&sort=${sort}: Sort by \\w+\\.${sort} .* of \\d+ rows`, 'u'),
  );
});

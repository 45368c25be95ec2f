import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { chineseTerms, renderLogSentence, type LogSentence } from '@highline/contract/log-texts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../platform/calls/call.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { until } from '../testing/call.ts';
import { isReading, sendCall, type MatrixResponse } from '../testing/matrix-call.ts';
import { fixtures } from '../testing/matrix-fixtures.ts';
import type { Request } from '../testing/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { createTenantInTurn } from '../testing/tenant-in-turn.ts';
import { buildTenants, type Tenant, type Tenants } from '../testing/tenants.ts';
import { isChange, watchTables, type TableWatch, type Transaction } from '../testing/touched-tables.ts';

// LOG-02 for every operation of the contract that writes: as every permitted role it answers its own, and leaves one entry, in the
// transaction of its change, unless it is listed below with a reason. A new call without an entry fails here even before it has a
// test of its own. That rejected calls and readings leave none is in tenant-matrix.test.ts.

const PASSWORD = 'a long enough passphrase';

/** Actions on one's own account, fully described by actor and action. */
const plain: ReadonlySet<string> = new Set([
  'accounts.signIn',
  'accounts.signOut',
  'accounts.forgotPassword',
  'accounts.endSession',
  'secondFactor.begin',
]);

/** Calls that concern several logs, and which: one entry in each of them. */
const severalLogs: Readonly<Record<string, (tenant: Tenant, response: MatrixResponse) => readonly string[]>> = {
  'organizations.create': ({ mainAccountId }, { text }) => [
    (JSON.parse(text) as { result: { id: string } }).result.id,
    mainAccountId,
  ],
  'organizations.delete': ({ organizationId, mainAccountId }) => [organizationId, mainAccountId],
  'organizations.transferDevices': ({ organizationId, branchId, mainAccountId }) => [organizationId, branchId, mainAccountId],
  'devices.replaceRouter': ({ organizationId, mainAccountId }) => [organizationId, mainAccountId],
  // The session that begins, and the terminal in it.
  'remoteAccess.openTerminal': ({ organizationId }) => [organizationId, organizationId],
  // Before the router is reached, and what became of it.
  'commands.run': ({ organizationId }) => [organizationId, organizationId],
};

/** Devices are removed in batches after the transaction of the entry that counts them; a router answers after that of what it shall do. */
const followedUp: ReadonlySet<string> = new Set([
  'organizations.delete',
  'tools.run',
  'commands.run',
  'remoteAccess.openTerminal',
  'remoteAccess.openClient',
  'remoteAccess.openClientTerminal',
]);

/** What the server notes of routers' responses to earlier calls, at any time; by the calls that write it themselves. */
const notedLater: Readonly<Record<string, RegExp>> = {
  'update sent_commands': /^(?:commands|jobs|tools)\./u,
  'update remote_sessions': /^remoteAccess\./u,
};

/** Whether a transaction is of an earlier call than this one. */
const isOfEarlier = (id: string, wrote: readonly string[]) =>
  wrote.length > 0 && wrote.every((what) => notedLater[what]?.test(id) === false);

let server: TestServer;
let tenants: Tenants;
let watch: TableWatch;
/** Everything that any call of this file wrote. */
const everWrote = new Set<string>();

beforeAll(async () => {
  // Long enough that no router is pinged during this file: last contacts are written too, but by no call.
  server = await startTestServer({ offlineSeconds: 3_600 });
  watch = await watchTables(server.owner);
});
afterAll(() => server.close());

interface Entry {
  readonly chain_id: string;
  readonly actor_email: string;
  readonly xmin: string;
  readonly actor_role: string;
  readonly address: string;
  readonly action: string;
  readonly sentence: LogSentence | null;
  readonly detail: Record<string, unknown>;
}

/** Entries that these transactions wrote. */
async function entriesOf(transactions: readonly Transaction[]): Promise<Entry[]> {
  if (transactions.length === 0) return [];
  const { rows } = await server.owner.query<Entry>(
    'select xmin::text, chain_id, actor_email, actor_role, address, action, sentence, detail from audit_entries where xmin::text = any ($1)',
    [transactions.map(({ xmin }) => xmin)],
  );
  return rows;
}

interface Trace {
  readonly response: MatrixResponse;
  /** Entries written by the call. */
  readonly entries: readonly Entry[];
  /** Transactions that changed more than internal tables. */
  readonly changes: readonly (readonly string[])[];
}

async function presenceOf(device: string): Promise<string | undefined> {
  const { rows } = await server.owner.query<{ presence: string }>('select presence from devices where id = $1', [device]);
  return rows[0]?.presence;
}

/** Send a call, and collect everything it wrote. */
async function trace(operation: AnyOperation, request: Request, bearer: string | undefined): Promise<Trace> {
  await watch.take();
  const response = await sendCall(server, operation, request, bearer);
  const transactions = await watch.take();
  for (const { wrote } of transactions) for (const what of wrote) everWrote.add(what);
  const all = await entriesOf(transactions);
  // What the server does by itself meanwhile, such as dropping a command of a device that is gone.
  const itself = new Set(all.flatMap(({ actor_role: role, xmin }) => (role === 'system' ? [xmin] : [])));
  const entries = all.filter(({ xmin }) => !itself.has(xmin));
  const own = transactions.filter(({ xmin, wrote }) => !itself.has(xmin) && !isOfEarlier(operation.id, wrote));
  const changes = own.map(({ wrote }) => wrote).filter(isChange);
  return { response, entries, changes };
}

/** Expect one entry, with every change in its transaction. */
function expectOneEntry(traced: Trace, id: string): Entry {
  return expectEntries(traced, id, 1)[0]!;
}

function termsOf({ params }: LogSentence): readonly string[] {
  return params.flatMap((part) => {
    if (typeof part !== 'object') return [];
    return 'key' in part ? termsOf(part) : part.terms;
  });
}

/** Expect this number of entries, with every change in their transaction. */
function expectEntries({ response, entries, changes }: Trace, id: string, count: number): readonly Entry[] {
  expect([response.status, entries.length], `${id}: ${response.text}`).toEqual([200, count]);
  if (!followedUp.has(id)) expect(changes.slice(1), `${id}: transactions other than the one of its entry`).toEqual([]);
  expect(changes[0], `${id}: its entry and its outbox row are of the same transaction`).toEqual(
    expect.arrayContaining(['insert audit_entries', 'insert outbox']),
  );
  for (const { action, sentence, detail } of entries) {
    expect(action).toMatch(/^[A-Z].{3,}/u);
    expect(sentence, `${id}: "${action}" has no key in packages/contract/src/<domain>/log.ts`).not.toBeNull();
    expect(renderLogSentence('en-US', sentence!), id).toBe(action);
    expect(renderLogSentence('zh-TW', sentence!), id).toMatch(/\p{Script=Han}/u);
    for (const term of termsOf(sentence!)) expect(chineseTerms, id).toHaveProperty([term]);
    if (!plain.has(id)) expect(Object.keys(detail), `${id}: what changed`).not.toEqual([]);
  }
  return entries;
}

function expectNothing({ entries, changes }: Trace, what: string): void {
  expect([entries, changes], what).toEqual([[], []]);
}

/** Nothing of other tenants. */
function expectNoLeak(text: string, what: string): void {
  for (const canary of [...tenants.foreign.canaries, ...tenants.sibling.canaries])
    expect(text, `${what} leaks`).not.toContain(canary);
}

async function ownerOf(bearer: string): Promise<{ id: string; email: string }> {
  const hash = createHash('sha256').update(bearer).digest();
  const { rows } = await server.owner.query<{ id: string; email: string }>(
    'select a.id, a.email from sessions s join accounts a on a.id = s.account_id where s.bearer_hash = $1',
    [hash],
  );
  return rows[0]!;
}

/** A request that changes something, even where the matrix's own does not. */
async function requestFor({ id }: AnyOperation, tenant: Tenant, role: Role, bearer: string): Promise<Request> {
  await fixtures[id]!.prepare?.(tenant, server.seeding, server);
  const request = fixtures[id]!.make(tenant, tenant, role);
  if (id === 'accounts.endSession') {
    const other = await server.seeding.bearer((await ownerOf(bearer)).id);
    return { params: { session: createHash('sha256').update(other).digest('hex') } };
  }
  if (id === 'bindings.unbindFirmware') {
    const { mainAccountId, organizationId, groupKey: group, firmware } = tenant;
    const scope = { kind: 'organization', mainAccountId, organizationId } as const;
    await server.seeding.binding(scope, { kind: 'firmware', group, file: firmware.pk, schedule: 'immediate' });
  }
  return request;
}

/** Calls about one's own account, or the sign-in of one's own company: for a user of the main account they belong to the main account's log. */
const isOfOneself: ReadonlySet<string> = new Set([
  'accounts.signOut',
  'accounts.signOutEverywhere',
  'accounts.endSession',
  'accounts.addPasskey',
  'accounts.deletePasskey',
  'accounts.savePolicy',
  'approvals.decide',
  'approvals.savePolicy',
  'secondFactor.begin',
  'secondFactor.confirm',
  'secondFactor.end',
  'identityProviders.create',
  'identityProviders.save',
  'identityProviders.delete',
  'identityProviders.test',
  'identityProviders.confirmDomain',
]);

/** The log that records the call. */
function chainFor(operation: AnyOperation, role: Role, tenant: Tenant): string {
  // Guests of the fixture are in the other organization.
  if (/^visits\.(?:enter|leave)$/u.test(operation.id)) return role === 'main' ? tenant.organizationId : tenant.branchId;
  const isOwn = isOfOneself.has(operation.id);
  return operation.scope === 'main' || (isOwn && role === 'main') ? tenant.mainAccountId : tenant.organizationId;
}

const writing = allOperations.filter((operation) => operation.scope !== 'public' && !isReading(operation));
const roles = ['user', 'admin', 'main'] as const;

describe('LOG-02 calls of users who are not signed in', () => {
  const publicOperation = (id: string) => allOperations.find((operation) => operation.id === id)!;

  test('each public operation is either read-only or tested here', () => {
    const open = allOperations.filter((operation) => operation.scope === 'public' && !isReading(operation));
    const tried = [
      'accounts.setUp',
      'accounts.signIn',
      'accounts.forgotPassword',
      'accounts.readInvitation',
      'accounts.resetPassword',
      'accounts.changePassword',
      'summaries.answerLink',
      'identityProviders.begin',
      'identityProviders.logout',
      'links.open',
      'notifications.bounce',
      'accounts.beginPasskeySignIn',
      'accounts.passkeySignIn',
      'secondFactor.beginAtSignIn',
      'secondFactor.confirmAtSignIn',
    ];
    expect(open.map(({ id }) => id).sort()).toEqual(tried.sort());
  });

  test('set-up, sign-in and a new password leave one entry each in the transaction of the change, and none when they are rejected', async () => {
    const secret = randomBytes(32).toString('base64url');
    const hash = (text: string) => createHash('sha256').update(text).digest();
    await server.owner.query('insert into setup_links (secret_hash) values ($1)', [hash(secret)]);
    const email = 'first@highline.invalid';
    const send = (id: string, body: unknown) => trace(publicOperation(id), { body }, undefined);
    const first = { secret, company: 'First', name: 'First', email, password: PASSWORD };
    const setUp = await send('accounts.setUp', first);
    // There is no user yet to notify.
    expect([setUp.response.status, setUp.entries.length, setUp.changes.length], setUp.response.text).toEqual([200, 1, 1]);
    expect(setUp.changes[0]).toContain('insert audit_entries');
    expectNothing(await send('accounts.setUp', first), 'a set-up link that was used');

    expectOneEntry(await send('accounts.signIn', { email, password: PASSWORD }), 'accounts.signIn');
    expectNothing(await send('accounts.signIn', { email, password: 'another passphrase' }), 'a wrong password');
    expectOneEntry(await send('accounts.forgotPassword', { email }), 'accounts.forgotPassword');
    expectNothing(await send('accounts.forgotPassword', { email: 'unknown@highline.invalid' }), 'an unknown address');

    expectNothing(await send('accounts.readInvitation', { secret: 'unknown' }), 'an unknown invitation');

    const reset = randomBytes(32).toString('base64url');
    await server.owner.query(
      "insert into mailed_links (secret_hash, account_id, purpose, expires_at) select $1, id, 'reset-password', now() + interval '1 hour' from accounts where email = $2",
      [hash(reset), email],
    );
    const changed = expectOneEntry(
      await send('accounts.resetPassword', { secret: reset, password: `${PASSWORD} 2` }),
      'accounts.resetPassword',
    );
    expect(changed.actor_email).toBe(email);
    expectNothing(await send('accounts.resetPassword', { secret: reset, password: `${PASSWORD} 3` }), 'a link that was used');

    const change = { email, password: `${PASSWORD} 2`, newPassword: `${PASSWORD} 4` };
    expectOneEntry(await send('accounts.changePassword', change), 'accounts.changePassword');
    expectNothing(await send('accounts.changePassword', change), 'the old password, once it was changed');

    const link = publicOperation('summaries.answerLink');
    expectNothing(await trace(link, { query: { token: 'unknown' }, body: {} }, undefined), 'an unknown link of a mail');

    const begin = await send('identityProviders.begin', { email: 'unknown@highline.invalid' });
    expectNothing(begin, 'a sign-in by no provider');
    const logout = { params: { provider: randomUUID() }, body: { logout_token: 'x' } };
    expectNothing(await trace(publicOperation('identityProviders.logout'), logout, undefined), 'a logout by no provider');
    const options = await send('accounts.beginPasskeySignIn', {});
    expectNothing(options, 'options for a passkey');
    const { challenge } = (JSON.parse(options.response.text) as { result: { challenge: string } }).result;
    const credential = createAuthenticator('http://localhost').assert(challenge);
    expectNothing(await send('accounts.passkeySignIn', { credential }), 'an unknown passkey');
    const wrong = { email, password: 'another passphrase', code: '123456' };
    expectNothing(await send('secondFactor.beginAtSignIn', wrong), 'a second factor with a wrong password');
    expectNothing(await send('secondFactor.confirmAtSignIn', wrong), 'its code with a wrong password');
    expectNothing(await send('links.open', { token: 'unknown', first: true }), 'an unknown link to a vehicle');
    const bounce = { address: `bounces+${'0'.repeat(41)}@highline.invalid`, status: '5.1.1', reason: 'no such mailbox' };
    expectNothing(await send('notifications.bounce', bounce), 'an unknown mail that was returned');
  });
});

/** Send a call as a permitted role: it leaves its entries. @returns the logs they belong to, and those they were found in */
async function expectLogged(operation: AnyOperation, role: Role, tenant: Tenant): Promise<{ logs: string[]; found: string[] }> {
  const { id } = operation;
  const bearer = tenant.bearers[role];
  const request = await requestFor(operation, tenant, role, bearer);
  const { email } = await ownerOf(bearer);
  const traced = await trace(operation, request, bearer);
  expectNoLeak(traced.response.text, `${id} to ${role}`);
  const shown = id === 'accounts.endSession' ? '"ended":1' : fixtures[id]!.shows?.(tenant);
  if (shown !== undefined) expect(traced.response.text, `${id} shows ${role} its own`).toContain(shown);
  const logs = severalLogs[id]?.(tenant, traced.response) ?? [chainFor(operation, role, tenant)];
  const entries = expectEntries(traced, id, logs.length);
  for (const entry of entries)
    expect(entry).toMatchObject({ actor_email: email, actor_role: roleAt(id, role), address: '127.0.0.1' });
  return { logs: [...logs].sort(), found: entries.map((entry) => entry.chain_id).sort() };
}

/** Who leaves a visit acts with its role until then. */
const roleAt = (id: string, role: Role) => (id === 'visits.leave' && role === 'main' ? 'admin' : role);

describe('LOG-02 every change made through any call', () => {
  /** A tenant for each role: what one has deleted, the next one still finds. */
  let inTurn: Readonly<Record<Role, ReturnType<typeof createTenantInTurn>>>;
  beforeAll(async () => {
    tenants = await buildTenants(server.seeding);
    inTurn = { user: createTenantInTurn(tenants), admin: createTenantInTurn(tenants), main: createTenantInTurn(tenants) };
  });

  test.each(writing.map((operation) => [operation.id, operation] as const))(
    '%s answers permitted roles, and is logged once with user, address and action',
    async (_id, operation) => {
      for (const role of roles.filter((each) => operation.roles.includes(each)))
        await inTurn[role](async (tenant) => {
          const { logs, found } = await expectLogged(operation, role, tenant);
          expect(found, `${operation.id} by ${role}: whose logs`).toEqual(logs);
        });
    },
  );

  test('LOG-02 a router that connects and reports during a call is no change of the call', async () => {
    const tenant = await tenants.another();
    await watch.take();
    const router = await server.connectRouter(tenant.loose);
    await router.stop();
    await until(async () => (await presenceOf(tenant.looseDeviceId)) === 'offline');
    const written = (await watch.take()).map(({ wrote }) => wrote);
    expect(written.flat()).toEqual(expect.arrayContaining(['report routers', 'report devices', 'insert connectivity']));
    expect(written.filter(isChange)).toEqual([]);
    await server.owner.query("update devices set note = 'changed', presence = 'unknown' where id = $1", [tenant.looseDeviceId]);
    expect((await watch.take()).filter(({ wrote }) => isChange(wrote)).map(({ wrote }) => wrote)).toEqual([
      ['insert device_counts', 'update devices'],
    ]);
  });

  test('nothing in the product alters an entry: calls only add entries, and the serving role is denied anything else', async () => {
    expect([...everWrote].filter((what) => what.endsWith(' audit_entries'))).toEqual(['insert audit_entries']);
    const before = await entriesAsText();
    expect(before).not.toBe('');
    const alterations = [
      sql`update audit_entries set action = 'Nothing happened'`,
      sql`update audit_entries set at = now() where false`,
      sql`delete from audit_entries`,
      sql`truncate audit_entries`,
      sql`alter table audit_entries disable trigger all`,
      sql`drop table audit_entries`,
      sql`select cut_audit_log(chain_id, seq - 1, now(), '') from audit_heads where seq > 1`,
      sql`merge into audit_entries e using audit_heads h on e.chain_id = h.chain_id when matched then delete`,
      sql`insert into audit_entries select * from audit_entries on conflict (chain_id, seq) do update set action = ''`,
    ];
    for (const [index, alteration] of alterations.entries())
      await expect(
        server.database.write((tx) => alteration.execute(tx)),
        `alteration ${index}`,
      ).rejects.toMatchObject({ code: '42501' });
    expect(await entriesAsText()).toBe(before);
  });
});

async function entriesAsText(): Promise<string> {
  const { rows } = await server.owner.query<{ text: string }>(
    "select coalesce(string_agg(e::text, ' ' order by chain_id, seq), '') as text from audit_entries e",
  );
  return rows[0]!.text;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DomainError } from '../../kernel/failure.ts';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createMovingClock, send } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createTestSealing } from '../../testing/sealing.ts';
import { createAccountsService } from './accounts.service.ts';

const HOUR = 3_600_000;
const password = 'correct horse battery';
const clock = createMovingClock();
const folder = mkdtempSync(join(tmpdir(), 'highline-sign-in-'));

let database: TestDatabase;
let server: TestServer;
let main: MainScope;
let organization: OrganizationScope;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer({ clock, folder, database });
  main = (await server.seeding.mainAccount('Home')).scope;
  organization = await server.seeding.organization(main, 'Sign-in');
});
afterAll(async () => {
  await server.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const signIn = (email: string, secret: string, url = server.url) =>
  send(`${url}/dmp_aa/api/v1/auth/token`, { body: { email, password: secret } });
const introspect = (bearer: string) => send(`${server.url}/dmp_aa/api/v2/auth/introspect/`, { method: 'POST', bearer });
const person = (email: string, role: 'main' | 'admin' | 'user' | 'none' = 'user') =>
  server.seeding.account(role === 'main' ? main : organization, email, role, password);

interface SignedIn {
  readonly result: { readonly id: string; readonly vap: string };
}

describe('signing in', () => {
  test('AUTH-08-partial a sign-in that was checked before the password changed does not outlive the change', async () => {
    const id = await person('race@highline.invalid');
    await server.owner.query('begin');
    await server.owner.query("update accounts set password_hash = 'another' where id = $1", [id]);
    const response = signIn('race@highline.invalid', password);
    const waiting =
      'select count(*)::int as n from pg_locks w where not w.granted and pg_backend_pid() = any(pg_blocking_pids(w.pid))';
    await expect.poll(async () => (await server.owner.query<{ n: number }>(waiting)).rows[0]?.n).toBe(1);
    await server.owner.query('commit');
    expect((await response).status).toBe(403);
    const { rows } = await server.owner.query('select 1 from sessions where account_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  test('AUTH-02-partial the address of the sign-in page is one of ours', async () => {
    const response = await send(`${server.url}/dmp_aa/api/v1/auth/login`, { body: {} });
    expect(response.json()).toEqual({ data: `${server.url}/account.html` });
  });

  test('AUTH-02-partial the right password returns a bearer that is stored only as a hash', async () => {
    const id = await person('right@highline.invalid');
    const response = await signIn('  RIGHT@highline.invalid ', password);
    expect(response.status).toBe(200);
    const { result } = response.json<SignedIn>();
    expect(result.id).toBe(id);
    expect(Buffer.from(result.vap, 'base64url').length).toBeGreaterThanOrEqual(32);
    expect((await introspect(result.vap)).json<{ result: { email: string } }>().result.email).toBe('right@highline.invalid');
    const { rows } = await server.owner.query<{ row: string }>('select s::text as row from sessions s where account_id = $1', [
      id,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.row).not.toContain(result.vap);
    expect(rows[0]!.row).not.toContain(Buffer.from(result.vap, 'base64url').toString('hex'));
  });

  test('a wrong password and an unknown address are answered alike', async () => {
    await person('known@highline.invalid');
    const wrong = await signIn('known@highline.invalid', 'wrong horse battery');
    const unknown = await signIn('unknown@highline.invalid', 'wrong horse battery');
    expect(wrong.status).toBe(403);
    expect(wrong.error().key).toBe('account.wrong_password');
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  });

  test('an account without a password cannot sign in', async () => {
    await server.seeding.account(organization, 'passwordless@highline.invalid', 'user');
    for (const guess of [' ', 'null', 'undefined', '\u0000'])
      expect((await signIn('passwordless@highline.invalid', guess)).status, JSON.stringify(guess)).toBeGreaterThanOrEqual(400);
  });

  test('AUTH-04-partial an account without roles is rejected as such only after the right password', async () => {
    await person('roleless@highline.invalid', 'none');
    expect((await signIn('roleless@highline.invalid', 'wrong horse battery')).error().key).toBe('account.wrong_password');
    const right = await signIn('roleless@highline.invalid', password);
    expect([right.status, right.error().key, right.error().message]).toEqual([
      403,
      'account.no_roles',
      'Permissions have not been set yet.',
    ]);
  });

  test('a sign-in is logged in the organization, with the address and without the password', async () => {
    const id = await person('logged@highline.invalid');
    const { result } = (await signIn('logged@highline.invalid', password)).json<SignedIn>();
    const { rows } = await server.owner.query<{ address: string; row: string }>(
      `select address, e::text as row from audit_entries e where chain_id = $1 and actor_id = $2 and action = 'Signed in'`,
      [organization.organizationId, id],
    );
    expect(rows.map((row) => row.address)).toEqual(['127.0.0.1']);
    expect(rows[0]!.row).not.toContain(password);
    expect(rows[0]!.row).not.toContain(result.vap);
  });

  test('a password typed in another normal form of Unicode is the same password', async () => {
    await server.seeding.account(organization, 'unicode@highline.invalid', 'user', 'Crème brûlée 東京');
    expect((await signIn('unicode@highline.invalid', 'Crème brûlée 東京'.normalize('NFD'))).status).toBe(200);
  });
});

describe('too many tries', () => {
  test('are rejected with the seconds to wait, also after a restart, while other accounts still sign in', async () => {
    await person('guessed@highline.invalid');
    await person('bystander@highline.invalid');
    for (let tries = 0; tries < 8; tries += 1)
      expect((await signIn('guessed@highline.invalid', `guess ${tries}`)).error().key).toBe('account.wrong_password');
    const rejected = await signIn('guessed@highline.invalid', password);
    expect([rejected.status, rejected.error().key]).toEqual([429, 'account.too_many_tries']);
    const wait = Number(rejected.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(rejected.error().detail).toEqual({ wait });
    expect((await signIn('bystander@highline.invalid', password)).status).toBe(200);

    const second = await startTestServer({ clock, folder, database });
    try {
      expect((await signIn('guessed@highline.invalid', password, second.url)).status).toBe(429);
      clock.advance(wait * 1000);
      expect((await signIn('guessed@highline.invalid', password, second.url)).status).toBe(200);
    } finally {
      await second.close();
    }
  });

  test('by a guesser elsewhere do not lock the owner out', async () => {
    await person('owner@highline.invalid');
    const elsewhere = createServiceElsewhere();
    for (let tries = 0; tries < 8; tries += 1) await elsewhere('owner@highline.invalid', 'guess');
    expect(await elsewhere('owner@highline.invalid', password)).toBe('account.too_many_tries');
    expect((await signIn('owner@highline.invalid', password)).status).toBe(200);
  });

  test('a success clears the attempts before it', async () => {
    await person('clumsy@highline.invalid');
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 0; tries < 6; tries += 1) await signIn('clumsy@highline.invalid', 'typo');
      expect((await signIn('clumsy@highline.invalid', password)).status).toBe(200);
    }
  });
});

/** The same service, called from another address. */
function createServiceElsewhere() {
  const service = createAccountsService({
    database: server.database,
    clock,
    sealing: createTestSealing(),
    mailSealing: createTestSealing(),
    challenges: createTestSealing(),
    endStreams: () => {},
  });
  return (email: string, secret: string) =>
    service.signIn({ email, password: secret }, { address: '203.0.113.9', userAgent: 'tests' }, 'http://localhost').then(
      () => 'signed in',
      (error: unknown) => (error as DomainError).key,
    );
}

describe('a session', () => {
  test('ends 12 hours after its last use', async () => {
    await person('idle@highline.invalid');
    const { vap } = (await signIn('idle@highline.invalid', password)).json<SignedIn>().result;
    clock.advance(11 * HOUR);
    const response = await introspect(vap);
    expect(response.status).toBe(200);
    expect(response.json<{ result: { idleUntil: number } }>().result.idleUntil).toBe(
      Math.floor((clock.now().getTime() + 12 * HOUR) / 1000),
    );
    clock.advance(11 * HOUR);
    expect((await introspect(vap)).status).toBe(200);
    clock.advance(12 * HOUR);
    expect((await introspect(vap)).error().message).toBe('Auth token timeout.');
  });

  test('ends after seven days, however much it is used', async () => {
    await person('busy@highline.invalid');
    const { vap } = (await signIn('busy@highline.invalid', password)).json<SignedIn>().result;
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      clock.advance(6 * HOUR);
      expect((await introspect(vap)).status, `after ${hours + 6} hours`).toBe(200);
    }
    clock.advance(6 * HOUR);
    expect((await introspect(vap)).status).toBe(401);
  });

  test('a changed role counts at the next call', async () => {
    const id = await person('promoted@highline.invalid', 'admin');
    const { vap } = (await signIn('promoted@highline.invalid', password)).json<SignedIn>().result;
    const roleNow = async () => (await introspect(vap)).json<{ result: { role: string } }>().result.role;
    expect(await roleNow()).toBe('super');
    await server.owner.query('update accounts set roles = $1 where id = $2', [[`r.${organization.organizationId}.vendor`], id]);
    expect(await roleNow()).toBe('vendor');
    await server.owner.query('update accounts set roles = $1 where id = $2', [[], id]);
    expect((await introspect(vap)).status).toBe(401);
  });

  test("a role of another organization than the account's does not count", async () => {
    const id = await person('stray@highline.invalid', 'admin');
    const other = await server.seeding.organization(main, 'Elsewhere');
    const { vap } = (await signIn('stray@highline.invalid', password)).json<SignedIn>().result;
    await server.owner.query('update accounts set roles = $1 where id = $2', [[`r.${other.organizationId}.super`], id]);
    expect((await introspect(vap)).status).toBe(401);
  });

  test('of a user of the main account continues when it has a role in an organization too', async () => {
    const id = await person('both@highline.invalid', 'main');
    await server.owner.query('update accounts set roles = $1 where id = $2', [
      [`r.${organization.organizationId}.vendor`, 'r.kmpService.vendor.super'],
      id,
    ]);
    const { vap } = (await signIn('both@highline.invalid', password)).json<SignedIn>().result;
    expect((await introspect(vap)).json<{ result: { role: string } }>().result.role).toBe('vendorSuper');
  });

  test('a deleted organization ends the sessions of its users at the next call, and rejects new ones', async () => {
    const removed = await server.seeding.organization(main, 'Deleted');
    await server.seeding.account(removed, 'deleted@highline.invalid', 'admin', password);
    const { vap } = (await signIn('deleted@highline.invalid', password)).json<SignedIn>().result;
    expect((await introspect(vap)).status).toBe(200);
    await server.owner.query('update organizations set deleted_at = now() where id = $1', [removed.organizationId]);
    expect((await introspect(vap)).error().message).toBe('Auth token timeout.');
    expect((await signIn('deleted@highline.invalid', password)).error().key).toBe('account.no_roles');
  });
});

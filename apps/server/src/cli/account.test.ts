import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { send } from '../testing/call.ts';
import { PEOPLES_PASSWORD as password, PEOPLES_SECRET } from '../testing/second-factor.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { resetSecondFactor } from './account.ts';
import { CommandFault, UsageFault } from './command.ts';

let database: TestDatabase;
let server: TestServer;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer({ database });
  folder = await mkdtemp(join(tmpdir(), 'highline-account-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(...argv: string[]): Promise<string> {
  const printed: string[] = [];
  const environment = {
    PUBLIC_URL: 'https://fleet.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
    HIGHLINE_MASTER_KEY: randomBytes(32).toString('hex'),
    SMTP_URL: 'none',
    HIGHLINE_DATA_DIR: folder,
    DATABASE_URL: database.ownerUrl,
    DATABASE_SERVE_URL: database.serveUrl,
  };
  await resetSecondFactor.run(argv, environment, (line) => printed.push(line));
  return printed.join('\n');
}

test('the only user of a main account who lost the second factor can sign in again after the command, and gets a mail', async () => {
  const { scope: main } = await server.seeding.mainAccount('Alone');
  const email = 'alone@highline.invalid';
  const id = await server.seeding.account(main, email, 'main', password);
  await server.seeding.secondFactor(id, PEOPLES_SECRET, true);
  const bearer = await server.seeding.bearer(id);
  const signIn = () => send(`${server.url}/dmp_aa/api/v1/auth/token`, { body: { email, password } });
  expect((await signIn()).error().key).toBe('account.otp_needed');

  expect(await run('--email', ' Alone@Highline.invalid ')).toContain('is off, every session has ended');
  expect((await signIn()).status).toBe(200);
  expect((await send(`${server.url}/dmp_aa/api/v1/auth/sessions`, { method: 'GET', bearer })).status).toBe(401);
  const { rows: mails } = await server.owner.query<{ plain: string }>('select plain from mails where recipient = $1', [email]);
  expect(mails).toEqual([{ plain: expect.stringContaining('was reset by Command line') as string }]);
  const { rows: entries } = await server.owner.query(
    "select actor_email, actor_role from audit_entries where chain_id = $1 and action = 'Reset the second factor of alone@highline.invalid'",
    [main.mainAccountId],
  );
  expect(entries).toEqual([{ actor_email: 'Command line', actor_role: 'system' }]);

  const faults = [['--email', email], ['--email', 'unknown@highline.invalid'], []];
  const errors = await Promise.all(faults.map((argv) => run(...argv).catch((error: unknown) => error)));
  expect(errors.map((error) => (error as Error).message)).toEqual([
    'The second factor is not on.',
    'This user does not exist.',
    '--email: missing',
  ]);
  expect(errors.map((error) => [error instanceof CommandFault, error instanceof UsageFault])).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ]);
});

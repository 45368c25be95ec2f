import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNER, runAs, SERVE, testCluster, urlFor } from '../testing/database.ts';
import { run } from './run.ts';

const name = `highline_migrate_${randomBytes(6).toString('hex')}`;
const { superuser, password } = testCluster();
const urlOf = (user: string) => urlFor(superuser, user, password, name);

beforeAll(() => runAs(superuser, `create database ${name} owner ${OWNER}`));
afterAll(() => runAs(superuser, `drop database if exists ${name} with (force)`));

async function migrate(url: string) {
  const printed = { out: '', err: '' };
  const environment = {
    PUBLIC_URL: 'http://127.0.0.1:8080',
    SMTP_URL: 'none',
    HIGHLINE_MASTER_KEY: randomBytes(32).toString('hex'),
    HIGHLINE_DATA_DIR: '/dev/null/none',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: url,
    DATABASE_SERVE_URL: urlOf(SERVE),
  };
  const say = { out: (text: string) => (printed.out += text), err: (text: string) => (printed.err += text) };
  return { code: await run(['migrate'], { environment, ...say }), ...printed };
}

test('migrate brings an empty database to this version, again without change, and says why it cannot', async () => {
  for (let n = 0; n < 2; n++)
    expect(await migrate(urlOf(OWNER))).toEqual({ code: 0, out: expect.stringContaining('The database is at version'), err: '' });
  const owner = new Client(urlOf(OWNER));
  await owner.connect();
  // It did not start a server: no process is registered, and no key was recorded.
  expect((await owner.query('select from nodes union all select from installation_keys')).rowCount).toBe(0);
  await owner.end();
  const unknown = await migrate(urlOf('no_such_role'));
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('rejects the sign-in')]);
});

import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createDirectory, createCellKeys, findPass, joinDirectory, leaveDirectory, membershipJob } from './index.ts';
import type { DirectoryClient } from './directory-client.ts';

// One database is both cell and directory: their tables are different ones.

const app = useTestApp();
const keys = createCellKeys(createSecretKey(randomBytes(32)));
const cells = new Map([
  ['eu', 'https://eu.example.com'],
  ['us', 'https://us.example.com'],
]);
const aMac = () => randomBytes(6).toString('hex').toUpperCase();

test('names from before a cell joined are sent in a pass, what is gone is dropped at its end, and only the cell changes its names', async () => {
  const { database } = app;
  const directory = createDirectory({ database, keys, cells });
  const errors: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
  const sendAs =
    (cell: string): DirectoryClient =>
    async (message, body) =>
      (await directory.respond(cell, message, body)) as never;
  let isAway = false;
  const send: DirectoryClient = (...message) =>
    isAway ? Promise.reject(new TypeError('the directory ended in the middle')) : sendAs('eu')(...message);
  const job = membershipJob({ database, log, keys, send });
  const pass = async (now: Date) => {
    await job.run(now);
    while ((await findPass(database.read))?.table !== null) await job.run(now);
  };
  const main = (await app.seeding.mainAccount('Before')).scope;
  await app.seeding.account(main, 'before@example.com', 'main');
  const [router] = await app.seeding.routers(main, [{ serial: 'BEFORE1', mac: aMac() }]);
  const hashed = (kind: 'email' | 'serial', name: string) => [keys.hash({ kind, name })];
  // Two names that are elsewhere, and one that this cell had before it was restored.
  const emails = [...hashed('email', 'before@example.com'), ...hashed('email', 'info@xn--bcher-kva.example')];
  await sendAs('us')('update', { add: [...emails, ...hashed('serial', 'OTHER')], remove: [] });
  await sendAs('eu')('update', { add: hashed('serial', 'GONE'), remove: hashed('serial', 'OTHER') });
  await sql`update directory_names set seen_at = now() - interval '2 hours' where cell = 'eu'`.execute(database.read);

  await database.write((tx) => joinDirectory(tx, 'eu'));
  const now = new Date();
  await pass(now);
  expect(errors).toEqual([{ names: 1, kinds: ['email'] }]);
  for (const email of ['Before@example.com', 'info@bücher.example'])
    expect(await directory.cellOfEmail(email)).toBe('https://us.example.com');
  expect(await directory.cellOfSecret(router!.secret)).toBe('https://eu.example.com');
  expect(await directory.cellOfEndpoint(router!.endpointId)).toBe('https://eu.example.com');
  const known = async (serial: string) =>
    (await sendAs('us')('claim', { names: hashed('serial', serial) })).taken.length === 0 ? 'free' : 'taken';
  expect([await known('BEFORE1'), await known('GONE')]).toEqual(['taken', 'free']);

  // What changes while the directory is away, or ends in the middle of a message, is sent once it is back.
  isAway = true;
  await app.seeding.account(main, 'later@example.com', 'main');
  await database.write((tx) =>
    tx.updateTable('accounts').set({ email: 'last@example.com' }).where('email', '=', 'later@example.com').execute(),
  );
  await database.write((tx) => tx.deleteFrom('routers').where('serial', '=', 'BEFORE1').execute());
  await expect(job.run(now)).rejects.toThrow('in the middle');
  isAway = false;
  await job.run(now);
  expect([await known('BEFORE1'), await directory.cellOfSecret(router!.secret)]).toEqual(['free', undefined]);
  expect((await sendAs('us')('claim', { names: hashed('email', 'later@example.com') })).taken).toEqual([]);
  expect((await sendAs('us')('claim', { names: hashed('email', 'last@example.com') })).taken).toEqual(
    hashed('email', 'last@example.com'),
  );
  // A claim of several names gets all of them or none.
  const both = [...hashed('serial', 'NEW'), ...hashed('email', 'last@example.com')];
  expect((await sendAs('us')('claim', { names: both })).taken).toHaveLength(1);
  expect((await sendAs('eu')('claim', { names: hashed('serial', 'NEW') })).taken).toEqual([]);
  const { rows } = await sql<{ text: string }>`select string_agg(d::text, ' ') as text from directory_names d`.execute(
    database.read,
  );
  expect(rows[0]!.text).not.toMatch(/example|BEFORE/u);

  await database.write(leaveDirectory);
  await app.seeding.account(main, 'left@example.com', 'main');
  expect((await sql`select 1 from directory_updates`.execute(database.read)).rows).toEqual([]);
});

test('a cell with another key, another name or an invalid message is rejected', async () => {
  const directory = createDirectory({ database: app.database, keys, cells });
  const wrong = createCellKeys(createSecretKey(randomBytes(32)));
  const bearers = [
    ['eu', wrong.bearerOf('eu')],
    ['us', keys.bearerOf('eu')],
    ['cn', keys.bearerOf('cn')],
  ] as const;
  for (const [cell, bearer] of bearers)
    expect(() => directory.checkCell(cell, bearer)).toThrow(expect.objectContaining({ key: 'permission.denied' }));
  directory.checkCell('eu', keys.bearerOf('eu'));
  const responses = [
    directory.respond('eu', 'constructor', {}),
    directory.respond('eu', 'claim', { names: [{ kind: 'email', hash: 'someone@example.com' }] }),
    directory.respond('eu', 'end', { began: 'yesterday' }),
  ];
  const results = await Promise.allSettled(responses);
  expect(results.map((each) => each.status === 'rejected' && (each.reason as { key: string }).key)).toEqual([
    'not_found',
    'request.invalid',
    'request.invalid',
  ]);
});

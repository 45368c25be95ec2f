import { setImmediate as tick } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../platform/adapters/database.ts';
import { openDatabase, type OpenedDatabase } from '../../platform/adapters/postgres/connect.ts';
import type { Database } from '../../platform/ports/database.ts';
import { silentLog } from '../../testing/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createMovingClock, until } from '../../testing/call.ts';
import { createSeeding } from '../../testing/seeding.ts';
import { createTestSealing } from '../../testing/sealing.ts';
import { createAccountsService } from './accounts.service.ts';

const clock = createMovingClock();
const caller = { address: '192.0.2.1', userAgent: 'tests' };

let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
  database = createDatabase(opened.pool, () => {});
  const seeding = createSeeding(database, clock);
  const organization = await seeding.organization((await seeding.mainAccount('Home')).scope, 'Forgotten');
  await seeding.account(organization, 'known@highline.invalid', 'user');
});
afterAll(async () => {
  await opened.close();
  await testDatabase.close();
});

/** Request a new password, with ticks that the test controls. */
function ask(email: string) {
  const beats: (() => void)[] = [];
  let response: string | undefined;
  const pause = () =>
    new Promise<void>((resolve) => {
      beats.push(resolve);
    });
  const { forgotPassword } = createAccountsService({
    database,
    clock,
    sealing: createTestSealing(),
    mailSealing: createTestSealing(),
    challenges: createTestSealing(),
    endStreams: () => {},
    pause,
  });
  const clearAttempts = async () => {
    try {
      await forgotPassword(email, 'en-US', 'http://x.invalid', caller);
      response = 'accepted';
    } catch (error) {
      response = String(error);
    }
  };
  void clearAttempts();
  return {
    respond: () => response,
    beats: () => beats.length,
    async beat() {
      await until(() => beats.length > 0);
      beats.shift()!();
      // Answers that are due at this tick are sent within these ticks.
      for (let turn = 0; turn < 5; turn += 1) await tick();
    },
  };
}

const countMails = async () => (await database.read.selectFrom('mails').select('id').execute()).length;

test('neither an address with an account nor one without is answered before the tick, and both are answered on it', async () => {
  const known = ask('known@highline.invalid');
  const unknown = ask('unknown@highline.invalid');
  await until(async () => (await countMails()) === 1 && known.beats() === 1 && unknown.beats() === 1);
  for (let turn = 0; turn < 50; turn += 1) await tick();
  expect([known.respond(), unknown.respond()]).toEqual([undefined, undefined]);
  // On a busy machine the work behind one of them may end only after this tick: then it is answered at the next one.
  await until(() => {
    for (const attempt of [known, unknown]) if (attempt.beats() > 0) void attempt.beat();
    return known.respond() !== undefined && unknown.respond() !== undefined;
  });
  expect([known.respond(), unknown.respond()]).toEqual(['accepted', 'accepted']);
});

test('work that takes longer than a tick is answered on a later one', async () => {
  const blocker = new Client(testDatabase.ownerUrl);
  await blocker.connect();
  try {
    await blocker.query('begin');
    await blocker.query('lock table mails in exclusive mode');
    const known = ask('known@highline.invalid');
    await known.beat();
    await known.beat();
    expect(known.respond()).toBeUndefined();
    await blocker.query('commit');
    await until(async () => {
      await known.beat();
      return known.respond() !== undefined;
    });
    expect(known.respond()).toBe('accepted');
  } finally {
    await blocker.end();
  }
});

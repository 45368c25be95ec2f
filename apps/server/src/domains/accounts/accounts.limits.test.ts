import { setImmediate as tick } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/adapters/database.ts';
import { openDatabase, type OpenedDatabase } from '../../platform/adapters/postgres/connect.ts';
import { DomainError } from '../../kernel/failure.ts';
import type { Database } from '../../platform/ports/database.ts';
import { hashCheaply } from '../../testing/cheap-password.ts';
import { silentLog } from '../../testing/log.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createMovingClock } from '../../testing/call.ts';
import { createSeeding, type Seeding } from '../../testing/seeding.ts';
import { codeOf, PEOPLES_SECRET } from '../../testing/second-factor.ts';
import { openMailText } from '../mails/index.ts';
import { createTestSealing } from '../../testing/sealing.ts';
import { createAccountsService, type AccountsService } from './accounts.service.ts';
import { addressKeyOf, countCode, countTry, limits, purgeRateWindows } from './rate-limit.ts';

const password = 'correct horse battery';
const clock = createMovingClock();
const sealing = createTestSealing();

let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let database: Database;
let seeding: Seeding;
let service: AccountsService;
let organization: OrganizationScope;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
  database = createDatabase(opened.pool, () => {});
  seeding = createSeeding(database, clock);
  organization = await seeding.organization((await seeding.mainAccount('Home')).scope, 'Limits');
  service = createAccountsService({
    database,
    clock,
    sealing,
    mailSealing: sealing,
    challenges: sealing,
    endStreams: () => {},
    pause: () => tick(),
  });
});
afterAll(async () => {
  await opened.close();
  await testDatabase.close();
});

async function person(email: string): Promise<string> {
  const id = await seeding.account(organization, email, 'user');
  const password_hash = await hashCheaply(password);
  await database.write((tx) => tx.updateTable('accounts').set({ password_hash }).where('id', '=', id).execute());
  return id;
}

/** The result of a sign-in attempt from an address. */
async function tryFrom(address: string, email: string, secret: string, otp?: string): Promise<string> {
  try {
    await service.signIn({ email, password: secret, otp }, { address, userAgent: 'tests' }, 'http://localhost');
    return 'signed in';
  } catch (error) {
    return error instanceof DomainError ? error.key : String(error);
  }
}

/**
 * Use up the wide limit of an account, as guesses from many networks do; a rejection from a new network shows that it is used up.
 */
async function guessFromEverywhere(email: string, secret: string): Promise<void> {
  const guesses = Array.from({ length: limits.signInAccount.hits }, () =>
    countTry(database, limits.signInAccount, email, clock.now()),
  );
  await Promise.all(guesses);
  expect(await tryFrom('203.0.113.200', email, secret)).toBe('account.too_many_tries');
}

const windows = async (like: string) =>
  (
    await database.read
      .selectFrom('rate_windows')
      .select(['key', 'hits'])
      .where('key', 'like', `%${like}%`)
      .orderBy('key')
      .execute()
  ).map(({ key, hits }) => [key.split(':')[0], hits]);

/** The secret of the link that was mailed to a user. */
async function mailedSecret(email: string): Promise<string> {
  const mail = await database.read
    .selectFrom('mails')
    .selectAll()
    .where('recipient', '=', email)
    .where('link_hash', 'is not', null)
    .executeTakeFirstOrThrow();
  return /reset=([A-Za-z0-9_-]+)/u.exec(openMailText(sealing, mail).plain)![1]!;
}

describe('a guesser with many addresses', () => {
  test('does not lock the owner out of a network that the owner signed in from before', async () => {
    await person('known@highline.invalid');
    expect(await tryFrom('192.0.2.1', 'known@highline.invalid', password)).toBe('signed in');
    await guessFromEverywhere('known@highline.invalid', password);
    expect(await tryFrom('192.0.2.1', 'known@highline.invalid', password)).toBe('signed in');
  });

  test('guesses no faster from the network of the owner than from any other', async () => {
    await person('shared-place@highline.invalid');
    expect(await tryFrom('192.0.2.2', 'shared-place@highline.invalid', password)).toBe('signed in');
    for (let guess = 0; guess < 8; guess += 1)
      expect(await tryFrom('192.0.2.2', 'shared-place@highline.invalid', `guess ${guess}`)).toBe('account.wrong_password');
    expect(await tryFrom('192.0.2.2', 'shared-place@highline.invalid', password)).toBe('account.too_many_tries');
  });

  test('does not keep out an owner in a new network who sets a new password by mail', async () => {
    await person('travelling@highline.invalid');
    await guessFromEverywhere('travelling@highline.invalid', password);
    const caller = { address: '192.0.2.3', userAgent: 'tests' };
    await service.forgotPassword('travelling@highline.invalid', 'en-US', 'http://x.invalid', caller);
    const secret = await mailedSecret('travelling@highline.invalid');
    await service.resetPassword(secret, 'a new horse battery', caller);
    await guessFromEverywhere('travelling@highline.invalid', 'a new horse battery');
    expect(await tryFrom('192.0.2.3', 'travelling@highline.invalid', 'a new horse battery')).toBe('signed in');
  });

  test('uses up nothing of the account with attempts that were already rejected for one network', async () => {
    await person('hammered@highline.invalid');
    for (let tries = 0; tries < 40; tries += 1) await tryFrom('198.51.100.77', 'hammered@highline.invalid', 'guess');
    expect(await windows('hammered@highline.invalid')).toEqual([
      ['sign-in-account', 8],
      ['sign-in-here', 40],
    ]);
  });
});

test('many attempts at once count like one after another', async () => {
  await person('raced@highline.invalid');
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, guess) => tryFrom('192.0.2.9', 'raced@highline.invalid', `guess ${guess}`)),
  );
  expect(outcomes.filter((outcome) => outcome === 'account.wrong_password')).toHaveLength(8);
  expect(outcomes.filter((outcome) => outcome === 'account.too_many_tries')).toHaveLength(12);
});

test('LIV-11-partial the own password, typed correctly again and again, uses up no attempts; wrong ones do', async () => {
  const [email, address] = ['roadside@highline.invalid', '192.0.2.31'];
  const accountId = await person(email);
  const actor = {
    accountId,
    email,
    name: '',
    role: 'user' as const,
    mainAccountId: organization.mainAccountId,
    organizationId: organization.organizationId,
    address,
    sessionId: '',
  };
  for (let n = 0; n <= limits.signInHere.hits; n += 1) await service.checkOwnPassword(actor, password);
  expect(await tryFrom(address, email, 'a guess')).toBe('account.wrong_password');
  for (let n = 1; n < limits.signInHere.hits; n += 1)
    await expect(service.checkOwnPassword(actor, `guess ${n}`)).rejects.toMatchObject({ key: 'account.wrong_password' });
  await expect(service.checkOwnPassword(actor, password)).rejects.toMatchObject({ key: 'account.too_many_tries' });
});

test('a guesser who knows the password guesses the codes of a second factor from many networks no faster than from one', async () => {
  const email = 'two-factors@highline.invalid';
  const id = await person(email);
  expect(await tryFrom('192.0.2.77', email, password)).toBe('signed in');
  const sealed_secret = sealing.seal(id, PEOPLES_SECRET);
  await database.write((tx) =>
    tx.insertInto('second_factors').values({ account_id: id, sealed_secret, confirmed_at: clock.now() }).execute(),
  );
  const guess = (lastOctet: number) => tryFrom(`198.51.100.${lastOctet}`, email, password, '000000');
  for (let lastOctet = 0; lastOctet < limits.code.hits; lastOctet += 1) expect(await guess(lastOctet)).toBe('account.otp_wrong');
  expect(await guess(200)).toBe('account.too_many_tries');
  // A new password, which anyone who reads the owner's mail can set, does not bring new attempts either.
  const caller = { address: '198.51.100.1', userAgent: 'tests' };
  await service.forgotPassword(email, 'en-US', 'http://x.invalid', caller);
  await service.resetPassword(await mailedSecret(email), password, caller);
  for (const lastOctet of [1, 201]) expect(await guess(lastOctet)).toBe('account.too_many_tries');
  // The owner, in a network of the owner's, is not kept out by it.
  expect(await tryFrom('192.0.2.77', email, password, codeOf(PEOPLES_SECRET, clock.now()))).toBe('signed in');
});

test('the owner gets one mail after ten wrong codes, wherever they come from, in the own language, and signing in elsewhere gives the guesser no new attempts', async () => {
  const email = 'guessed-codes@highline.invalid';
  const id = await person(email);
  await database.write((tx) =>
    tx.updateTable('accounts').set({ language: 'zh-TW', name: 'Dana' }).where('id', '=', id).execute(),
  );
  expect(await tryFrom('192.0.2.80', email, password)).toBe('signed in');
  const sealed_secret = sealing.seal(id, PEOPLES_SECRET);
  await database.write((tx) =>
    tx.insertInto('second_factors').values({ account_id: id, sealed_secret, confirmed_at: clock.now() }).execute(),
  );
  const mails = () => database.read.selectFrom('mails').select(['subject', 'plain']).where('recipient', '=', email).execute();
  const guess = (address: string) => tryFrom(address, email, password, '000000');
  for (let octet = 0; octet < 8; octet += 1) expect(await guess(`198.51.100.${octet}`)).toBe('account.otp_wrong');
  // The owner, who mistypes it once and then enters the right one.
  expect(await guess('192.0.2.80')).toBe('account.otp_wrong');
  expect(await tryFrom('192.0.2.80', email, password, codeOf(PEOPLES_SECRET, clock.now()))).toBe('signed in');
  expect(await mails()).toEqual([]);
  expect(await guess('198.51.100.8')).toBe('account.otp_wrong');
  expect(await mails()).toMatchObject([
    { subject: '有人多次輸入錯誤的 Highline 驗證碼', plain: expect.stringMatching(/^Dana，您好：[^]*198\.51\.100\.8/u) },
  ]);
  expect(await guess('198.51.100.9')).toBe('account.otp_wrong');
  expect(await guess('198.51.100.10')).toBe('account.too_many_tries');
  expect(await mails()).toHaveLength(1);
});

test('codes can be guessed about a hundred times a week, over all networks: each wait is longer than the one before', async () => {
  const attempt = (email: string, octet: number) => countCode(database, email, `198.51.100.${octet}`, clock.now());
  const waits: number[] = [];
  let accepted = 0;
  for (const end = clock.now().getTime() + 7 * 86_400_000; clock.now().getTime() < end;) {
    try {
      await attempt('weekly@highline.invalid', accepted % 250);
      accepted += 1;
    } catch (error) {
      const { wait } = (error as DomainError).more.detail as { wait: number };
      waits.push(wait);
      clock.advance(wait * 1_000);
    }
  }
  expect(waits.slice(0, 6)).toEqual([900, 3_600, 14_400, 57_600, 86_400, 86_400]);
  expect(accepted).toBeLessThanOrEqual(110);
});

describe('one network', () => {
  test('is limited over all accounts, and a success gives back only its own attempt', async () => {
    await person('insider@highline.invalid');
    for (let round = 0; round < 12; round += 1) {
      for (let guess = 0; guess < 4; guess += 1)
        await tryFrom('192.0.2.50', `victim-${round}-${guess}@highline.invalid`, 'guess');
      expect(await tryFrom('192.0.2.50', 'insider@highline.invalid', password)).toBe('signed in');
    }
    for (let guess = 0; guess < 12; guess += 1) await tryFrom('192.0.2.50', `last-${guess}@highline.invalid`, 'guess');
    expect(await tryFrom('192.0.2.50', 'one-more@highline.invalid', 'guess')).toBe('account.too_many_tries');
    expect(await tryFrom('192.0.2.51', 'one-more@highline.invalid', 'guess')).toBe('account.wrong_password');
  });

  test('lets a whole office sign in behind one address', async () => {
    await person('office@highline.invalid');
    for (let people = 0; people < 70; people += 1)
      expect(await tryFrom('192.0.2.60', 'office@highline.invalid', password), `person ${people}`).toBe('signed in');
  });

  test('is an IPv4 address however it is written, and the /64 network of an IPv6 address', () => {
    expect(['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:192.0.2.1'].map(addressKeyOf)).toEqual(Array(3).fill('192.0.2.1'));
    const oneNetwork = ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::', '2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::1%eth0'];
    expect(oneNetwork.map(addressKeyOf)).toEqual(Array(4).fill('2001:db8:1:2::/64'));
    expect(addressKeyOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(['::1', 'fe80::1', '2001:db8::1'].map(addressKeyOf)).toEqual(['0:0:0:0::/64', 'fe80:0:0:0::/64', '2001:db8:0:0::/64']);
  });

  test('cannot be multiplied within one IPv6 network', async () => {
    await person('six@highline.invalid');
    for (let host = 1; host <= 8; host += 1) await tryFrom(`2001:db8:1:2::${host}`, 'six@highline.invalid', 'guess');
    expect(await tryFrom('2001:db8:1:2::ffff', 'six@highline.invalid', password)).toBe('account.too_many_tries');
    expect(await tryFrom('2001:db8:1:3::1', 'six@highline.invalid', password)).toBe('signed in');
  });
});

test('an exceeded window is not prolonged by more attempts, and is deleted when it ends', async () => {
  await person('patient@highline.invalid');
  const start = clock.now().getTime();
  for (let tries = 0; tries < 8; tries += 1) await tryFrom('192.0.2.70', 'patient@highline.invalid', 'guess');
  clock.advance(299_000);
  expect(await tryFrom('192.0.2.70', 'patient@highline.invalid', password)).toBe('account.too_many_tries');
  clock.advance(start + 300_000 - clock.now().getTime());
  expect(await tryFrom('192.0.2.70', 'patient@highline.invalid', password)).toBe('signed in');
  clock.advance(91 * 86_400_000);
  await purgeRateWindows(database, clock.now());
  expect(await windows('')).toEqual([]);
});

test('SEC-F12 guesses at others behind the same address do not lock out a user who signed in from there before', async () => {
  const office = '192.0.2.61';
  await person('regular@highline.invalid');
  await person('newcomer@highline.invalid');
  expect(await tryFrom(office, 'regular@highline.invalid', password)).toBe('signed in');
  for (let guess = 0; guess < limits.signInAddress.hits; guess += 1)
    await tryFrom(office, `made-up-${guess}@highline.invalid`, 'guess');
  expect(await tryFrom(office, 'newcomer@highline.invalid', password)).toBe('account.too_many_tries');
  expect(await tryFrom(office, 'regular@highline.invalid', password)).toBe('signed in');
  // Sign-ins of the guesser's own account do not give back attempts at others either.
  for (let own = 0; own < 5; own += 1) expect(await tryFrom(office, 'regular@highline.invalid', password)).toBe('signed in');
  expect(await tryFrom(office, 'made-up-x@highline.invalid', 'guess')).toBe('account.too_many_tries');
});

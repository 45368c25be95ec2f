import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDatabase } from '../../platform/adapters/database.ts';
import { openDatabase, type OpenedDatabase } from '../../platform/adapters/postgres/connect.ts';
import type { Database } from '../../platform/ports/database.ts';
import { createTestSealing } from '../../testing/sealing.ts';
import { createSeeding } from '../../testing/seeding.ts';
import { silentLog } from '../../testing/log.ts';
import type { Mail, MailTransport } from '../../platform/ports/mail.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createMovingClock, until } from '../../testing/call.ts';
import { deliverDueMails } from './mail-delivery.ts';
import { leaseDue } from './mail-delivery.store.ts';
import { cancelLinkMails, enqueueMail, purgeMails, sealEarlierMails } from './mail-queue.ts';

const MINUTE = 60_000;

let clock = createMovingClock();
let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
  database = createDatabase(opened.pool, () => {});
});
afterAll(async () => {
  await opened.close();
  await testDatabase.close();
});
beforeEach(async () => {
  clock = createMovingClock();
  await database.read.deleteFrom('mails').execute();
});

/** A transport that stores mails, and rejects them while `rejecting` says so. */
function createKeeper(
  rejecting: (mail: Mail) => string | undefined = () => undefined,
): MailTransport & { readonly taken: Mail[] } {
  const taken: Mail[] = [];
  return {
    taken,
    async send(mail) {
      const reason = rejecting(mail);
      if (reason !== undefined) throw new Error(reason);
      taken.push(mail);
    },
    async close() {},
  };
}

const mailTo = (to: string) => ({ to, subject: 's', plain: 'p', html: 'h', kind: 'account', organizationId: null }) as const;
const enqueue = (...recipients: string[]) =>
  database.write(async (tx) => {
    for (const to of recipients) await enqueueMail(tx, mailTo(to), clock.now());
  });
const sealing = createTestSealing();
const deliver = (transport: MailTransport) =>
  deliverDueMails({ database, transport, sealing, now: () => clock.now(), log: silentLog });
const rows = () => database.read.selectFrom('mails').selectAll().orderBy('id').execute();

describe('the mail queue', () => {
  test('delivers each mail once, and no cancelled one', async () => {
    const keeper = createKeeper();
    await enqueue('a@x.invalid', 'b@x.invalid');
    const undone = database.write(async (tx) => {
      await enqueueMail(tx, mailTo('never@x.invalid'), clock.now());
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow('taken back');
    expect(await deliver(keeper)).toBe(2);
    expect(await deliver(keeper)).toBe(0);
    expect(keeper.taken.map(({ to }) => to).sort()).toEqual(['a@x.invalid', 'b@x.invalid']);
    expect((await rows()).every((mail) => mail.sent_at !== null && mail.next_attempt_at === null)).toBe(true);
  });

  test('retries a rejected mail with growing waits under the same id, without blocking others', async () => {
    let isDown = true;
    const ids: string[] = [];
    const keeper = createKeeper(({ to, messageId }) => {
      if (to !== 'late@x.invalid') return undefined;
      ids.push(messageId);
      return isDown ? 'try later' : undefined;
    });
    await enqueue('late@x.invalid', 'other@x.invalid');
    expect(await deliver(keeper)).toBe(1);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const [mail] = (await rows()).filter(({ recipient }) => recipient === 'late@x.invalid');
      expect(mail).toMatchObject({ attempts: attempt + 1, last_error: 'try later', sent_at: null });
      const wait = mail!.next_attempt_at!.getTime() - clock.now().getTime();
      waits.push(wait);
      expect(await deliver(keeper)).toBe(0);
      expect(ids).toHaveLength(attempt + 1);
      clock.advance(wait);
      if (attempt === 3) isDown = false;
      expect(await deliver(keeper)).toBe(isDown ? 0 : 1);
    }
    // Half a minute doubles at every attempt, a quarter of it up or down at random.
    for (const [attempt, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(22_500 * 2 ** attempt);
      expect(wait).toBeLessThanOrEqual(37_500 * 2 ** attempt);
    }
    expect(new Set(ids).size).toBe(1);
    expect((await rows()).map(({ last_error, sent_at }) => [last_error, sent_at !== null])).toEqual([
      [null, true],
      [null, true],
    ]);
  });

  test('gives up in the end, keeps the reason, and deletes both after a month', async () => {
    const keeper = createKeeper(() => 'no such mailbox');
    await enqueue('gone@x.invalid');
    for (let attempt = 0; attempt < 25; attempt += 1) {
      await deliver(keeper);
      clock.advance(8 * 60 * MINUTE);
    }
    expect(await rows()).toMatchObject([{ attempts: 20, last_error: 'no such mailbox', next_attempt_at: null, sent_at: null }]);
    await purgeMails(database, new Date(Date.now() + 29 * 24 * 60 * MINUTE));
    expect(await rows()).toHaveLength(1);
    await purgeMails(database, new Date(Date.now() + 31 * 24 * 60 * MINUTE));
    expect(await rows()).toHaveLength(0);
  });

  test('NTF-02-partial gives up a mail whose sending ends the process each time, and says so', async () => {
    await enqueue('deadly@x.invalid');
    const [{ id } = { id: '' }] = await rows();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      // The process takes it, and ends.
      expect(await leaseDue(database, 1, clock.now(), [])).toMatchObject([{ id }]);
      clock.advance(MINUTE);
    }
    const keeper = createKeeper();
    expect(await deliver(keeper)).toBe(0);
    expect(keeper.taken).toEqual([]);
    const reason = 'Interrupted: the server ended while it sent this mail.';
    expect(await rows()).toMatchObject([{ last_error: reason, next_attempt_at: null, sent_at: null }]);
  });

  test('does not send a mail again because the database was down after it was accepted', async () => {
    const keeper = createKeeper();
    let failures = 0;
    const flaky: Database = {
      ...database,
      async write(work) {
        if (failures > 0) {
          failures -= 1;
          throw new Error('connection lost');
        }
        return database.write(work);
      },
    };
    const transport: MailTransport = {
      ...keeper,
      async send(mail) {
        await keeper.send(mail);
        failures = 2;
      },
    };
    await enqueue('taken@x.invalid');
    const round = deliverDueMails({ database: flaky, transport, sealing, now: () => clock.now(), log: silentLog });
    // No further mail can be taken, but the accepted one is marked anyway.
    await expect(round).rejects.toThrow('connection lost');
    expect(failures).toBe(0);
    expect((await rows())[0]!.sent_at).not.toBeNull();
    clock.advance(60 * MINUTE);
    expect(await deliver(keeper)).toBe(0);
    expect(keeper.taken).toHaveLength(1);
  });

  test('begins no other mail after a stop, and returns those at once that it had taken out', async () => {
    const stopping = new AbortController();
    const keeper = createKeeper();
    const transport: MailTransport = {
      ...keeper,
      async send(mail) {
        stopping.abort();
        await keeper.send(mail);
      },
    };
    await enqueue(...Array.from({ length: 12 }, (_, index) => `n${index}@x.invalid`));
    const sent = await deliverDueMails({
      database,
      sealing,
      transport,
      now: () => clock.now(),
      log: silentLog,
      stopping: stopping.signal,
    });
    expect(sent).toBe(keeper.taken.length);
    expect(sent).toBeLessThan(12);
    const left = (await rows()).filter((mail) => mail.sent_at === null);
    expect(left.every((mail) => mail.attempts === 0)).toBe(true);
    expect(await deliver(keeper)).toBe(12 - sent);
    expect(new Set(keeper.taken.map(({ to }) => to)).size).toBe(12);
  });

  test('NTF-02-partial sends mails that become due while the server is slow with another one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const keeper = createKeeper();
    let isSlow = false;
    const transport: MailTransport = {
      ...keeper,
      async send(mail) {
        isSlow = mail.to === 'slow@x.invalid';
        if (isSlow) await promise;
        await keeper.send(mail);
      },
    };
    await enqueue('slow@x.invalid');
    const round = deliver(transport);
    await until(() => isSlow);
    await enqueue('next@x.invalid');
    await until(() => keeper.taken.length === 1);
    expect(keeper.taken[0]!.to).toBe('next@x.invalid');
    await until(async () => (await rows()).some(({ sent_at: at }) => at !== null));
    resolve();
    expect(await round).toBe(2);
  });

  test('keeps a mail that still waits, however old it is', async () => {
    await enqueue('waiting@x.invalid');
    await purgeMails(database, new Date(Date.now() + 365 * 24 * 60 * MINUTE));
    expect(await rows()).toHaveLength(1);
  });
});

describe('several workers', () => {
  test('never send the same mail', async () => {
    const keeper = createKeeper();
    const slow: MailTransport = {
      async send(mail) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        await keeper.send(mail);
      },
      async close() {},
    };
    await enqueue(...Array.from({ length: 40 }, (_, index) => `n${index}@x.invalid`));
    const sent = await Promise.all([deliver(slow), deliver(slow), deliver(slow), deliver(slow)]);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(new Set(keeper.taken.map(({ to }) => to)).size).toBe(40);
    expect(keeper.taken).toHaveLength(40);
  });

  test('leave a mail alone while another delivers it, and take it once that one is known to be dead', async () => {
    await enqueue('leased@x.invalid');
    let release: () => void = () => {};
    let began: () => void = () => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const stuck: MailTransport = {
      send: () => {
        began();
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      async close() {},
    };
    const first = deliver(stuck);
    await beginning;
    const keeper = createKeeper();
    expect(await deliver(keeper)).toBe(0);
    clock.advance(0.9 * MINUTE);
    expect(await deliver(keeper)).toBe(0);
    clock.advance(0.1 * MINUTE);
    expect(await deliver(keeper)).toBe(1);
    release();
    await first;
    expect(await deliver(keeper)).toBe(0);
  });

  test('leave a mail alone as long as a slow server keeps the other one waiting, and also the mails behind it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await enqueue(...Array.from({ length: 5 }, (_, index) => `slow${index}@x.invalid`));
      const { promise, resolve } = Promise.withResolvers<void>();
      const taken: string[] = [];
      const slow: MailTransport = {
        send: ({ to }) => {
          taken.push(to);
          return promise;
        },
        async close() {},
      };
      const first = deliver(slow);
      await until(() => taken.length === 3);
      for (let round = 0; round < 12; round += 1) {
        clock.advance(MINUTE / 6);
        vi.advanceTimersByTime(10_000);
        const renewed = clock.now().getTime() + MINUTE;
        await until(async () => (await rows()).every(({ next_attempt_at: at }) => at?.getTime() === renewed));
      }
      expect(await deliver(createKeeper())).toBe(0);
      resolve();
      expect(await first).toBe(5);
      expect(new Set(taken).size).toBe(5);
      expect(taken).toHaveLength(5);
    } finally {
      vi.useRealTimers();
    }
  });

  test('that lost its lease does not put a delivered mail back into the queue', async () => {
    await enqueue('slow@x.invalid');
    let fail: (error: Error) => void = () => {};
    let began: () => void = () => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const stuck: MailTransport = {
      send: () => {
        began();
        return new Promise<void>((_, reject) => {
          fail = reject;
        });
      },
      async close() {},
    };
    const first = deliver(stuck);
    await beginning;
    clock.advance(MINUTE);
    const keeper = createKeeper();
    expect(await deliver(keeper)).toBe(1);
    fail(new Error('timed out'));
    await first;
    clock.advance(60 * MINUTE);
    expect(await deliver(keeper)).toBe(0);
    expect(await rows()).toMatchObject([{ last_error: null, next_attempt_at: null }]);
  });
});

describe('mails with secret links', () => {
  const secret = 'Xy3mJrT0aB9kQ2wEe6uIzLcVnHs41GdFpO8_tRyKjWb';
  const text = `Open https://cloud.test/account.html?reset=${secret} within an hour`;
  const secretHash = Buffer.alloc(32, 7);
  const linked = { ...mailTo('linked@x.invalid'), plain: text, html: `<p>${text}</p>` };
  const enqueueLinked = () => database.write((tx) => enqueueMail(tx, { ...linked, link: { secretHash, sealing } }, clock.now()));
  const change = (set: { used_at?: Date; expires_at?: Date }) =>
    database.write((tx) => tx.updateTable('mailed_links').set(set).where('secret_hash', '=', secretHash).execute());

  beforeEach(async () => {
    await database.read.deleteFrom('mailed_links').execute();
    const { actor } = await createSeeding(database, clock).mainAccount('Mails');
    const link = {
      secret_hash: secretHash,
      account_id: actor.accountId,
      purpose: 'reset-password' as const,
      created_at: clock.now(),
    };
    const expires_at = new Date(clock.now().getTime() + 60 * MINUTE);
    await database.write((tx) =>
      tx
        .insertInto('mailed_links')
        .values({ ...link, expires_at })
        .execute(),
    );
  });
  const stored = async () => JSON.stringify(await rows());

  test('SEC-F8 a secret link is in no row before the mail is sent, is sent unchanged, and no text is kept after it', async () => {
    const keeper = createKeeper();
    await enqueueLinked();
    await enqueue('plain@x.invalid');
    const before = await rows();
    expect(JSON.stringify(before)).not.toContain(secret);
    expect(before.map(({ sealed }) => sealed?.toString('latin1').includes(secret) ?? false)).toEqual([false, false]);
    expect(await deliver(keeper)).toBe(2);
    expect(keeper.taken.find(({ to }) => to === 'linked@x.invalid')).toMatchObject({ plain: text, html: `<p>${text}</p>` });
    expect((await rows()).map(({ plain, html, sealed }) => [plain, html, sealed])).toEqual([
      ['', '', null],
      ['', '', null],
    ]);
  });

  test('SEC-F8 an encrypted text can be decrypted for its own mail only', async () => {
    const keeper = createKeeper();
    const id = await enqueueLinked();
    const sealed = (await rows())[0]!.sealed;
    await enqueue('other@x.invalid');
    await database.write((tx) => tx.updateTable('mails').set({ sealed }).where('id', '<>', id).execute());
    expect(await deliver(keeper)).toBe(1);
    expect(keeper.taken.map(({ to }) => to)).toEqual(['linked@x.invalid']);
  });

  test('SEC-F8 a queued mail is deleted with its link', async () => {
    const keeper = createKeeper();
    await enqueueLinked();
    await enqueue('stays@x.invalid');
    await database.write((tx) => cancelLinkMails(tx, [secretHash]));
    expect(await deliver(keeper)).toBe(1);
    expect(keeper.taken.map(({ to }) => to)).toEqual(['stays@x.invalid']);
  });

  test.each([
    ['used', () => change({ used_at: new Date() })],
    ['too old', () => change({ expires_at: new Date(clock.now().getTime() - 1) })],
    ['cleared away', () => database.write((tx) => tx.deleteFrom('mailed_links').execute())],
  ])('SEC-F8 a mail whose link is %s is not sent', async (_, end) => {
    const keeper = createKeeper();
    await enqueueLinked();
    await end();
    expect([await deliver(keeper), (await rows()).length]).toEqual([0, 0]);
  });

  test('SEC-F8 plain-text mails of an earlier version are encrypted, and still sent', async () => {
    const keeper = createKeeper();
    await database.write((tx) => enqueueMail(tx, linked, clock.now()));
    await enqueue('plain@x.invalid');
    expect(await stored()).toContain(secret);
    await sealEarlierMails(database, sealing);
    await sealEarlierMails(database, sealing);
    expect(await stored()).not.toContain(secret);
    expect((await rows()).find(({ recipient }) => recipient === 'plain@x.invalid')).toMatchObject({ plain: 'p', sealed: null });
    expect(await deliver(keeper)).toBe(2);
    expect(keeper.taken.some(({ plain }) => plain === text)).toBe(true);
  });
});

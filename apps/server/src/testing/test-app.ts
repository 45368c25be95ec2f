import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '@highline/contract';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { composeServer } from '../compose/compose.ts';
import { createSeal } from '../domains/configs/index.ts';
import { createCodeSeal } from '../domains/esims/index.ts';
import { createMailSealing } from '../domains/mails/index.ts';
import { newId, type Actor, type MainScope, type OrganizationScope } from '../kernel/index.ts';
import { createInProcessBus } from '../platform/adapters/bus/in-process.ts';
import { createFolderCheckpoints } from '../platform/adapters/audit/checkpoints.ts';
import { createFolderBlobs } from '../platform/adapters/blobs/folder.ts';
import { createProcessKeys } from '../platform/adapters/installation/keys.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { createReader, createRowStreams } from '../platform/listing/index.ts';
import type { Contact } from '../platform/ports/index.ts';
import { createLog } from '../platform/process/log.ts';
import { readSettings } from '../platform/settings/settings.ts';
import { hashBearer } from '../transport/http/bearer.ts';
import { generateHostKey, hostKeyOf } from '../transport/tunnels/index.ts';
import { newAuditKey } from './audit-key.ts';
import { createMovingClock, until } from './call.ts';
import { createTestDatabase } from './database.ts';
import { createSigner } from './images.ts';
import { inject, type Method, type TestCall } from './inject.ts';
import { readMails } from './mail.ts';
import { createSeeding } from './seeding.ts';

export type { TestAnswer, TestCall } from './inject.ts';

const MAX_IMAGE_MB = 3;
/** The largest image accepted here. */
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1_048_576;

export type TestApp = Awaited<ReturnType<typeof openTestApp>>;

/**
 * The server over a separate database, called without a network. As it does not listen, nothing happens besides the calls.
 * @param at initial time of the clock, UTC
 */
export async function openTestApp(at = '2026-11-20T12:00:00Z') {
  const test = await createTestDatabase();
  const log = createLog('silent');
  const opened = await openDatabase(test.settings, log);
  const folder = await mkdtemp(join(tmpdir(), 'highline-test-'));
  const clock = createMovingClock(at);
  const signer = createSigner();
  const key = createSecretKey(randomBytes(32));
  const given = readSettings('serve', {
    PUBLIC_URL: 'https://cloud.test',
    TRUSTED_PROXIES: '127.0.0.1',
    HIGHLINE_DATA_DIR: folder,
    HIGHLINE_MASTER_KEY: key.export().toString('base64'),
    SMTP_URL: 'none',
    FIRMWARE_MAX_MB: String(MAX_IMAGE_MB),
  });
  const settings = { ...given, firmware: { ...given.firmware, publicKeys: [signer.publicKey] } };
  const masterKeys = createProcessKeys(key, [key]);
  const stores = {
    blobs: createFolderBlobs(settings.firmware.folder),
    seal: createSeal(masterKeys),
    signer,
    codes: createCodeSeal(masterKeys),
  };
  const auditKey = newAuditKey();
  const actors = new Map<string, Actor>();
  const disconnected: string[] = [];
  const contacts = new Map<string, Contact>();
  const noRouter = () => Promise.reject(new Error('No router is connected in this test.'));
  const server = await composeServer({
    settings,
    installation: {
      masterKeys,
      auditKey,
      hostKey: hostKeyOf(generateHostKey()),
      blobs: stores.blobs,
      checkpoints: createFolderCheckpoints(join(folder, 'audit')),
      close: () => {},
    },
    opened,
    bus: createInProcessBus(log),
    log,
    clock,
    checkAnswers: true,
    withoutConsole: true,
    parts: {
      sessions: { readSession: async (hash) => actors.get(hash.toString('hex')) },
      contacts: { latest: (id) => contacts.get(id) },
      deviceLink: {
        isConnected: () => false,
        awaitsSetUp: () => false,
        disconnect: (ids) => void disconnected.push(...ids),
        get: noRouter,
        commandsOf: noRouter,
        sendReadings: noRouter,
        operate: noRouter,
        set: noRouter,
        refresh: noRouter,
        listen: () => {},
      },
    },
  });
  const { database } = server;
  const reader = createReader(database);
  const owner = new Client(test.ownerUrl);
  await owner.connect();
  return {
    database,
    reader,
    streams: createRowStreams(reader),
    /** The owner's connection, with all rights. */
    owner,
    seeding: createSeeding(database, clock, stores),
    clock,
    /** Last contacts by router id, as if these routers were connected. */
    contacts,
    /** Ids of routers whose connections the device link was requested to close. */
    disconnected,
    expiringDays: settings.expiringDays,
    stores,
    /** Signs exported logs. */
    auditKey,
    /** A signed-in user. */
    person(scope: MainScope | OrganizationScope, role: Role): Actor {
      const actor = actorOf(scope, role);
      actors.set(hashBearer(actor.sessionId).toString('hex'), actor);
      return actor;
    },
    call: (method: Method, path: string, call?: TestCall) => inject(server, method, path, call),
    /** Mails to an address, newest first. */
    mailsTo: (recipient: string) => readMails(owner, createMailSealing(masterKeys), recipient),
    /** Actions of a log, oldest first. */
    async logOf(chainId: string): Promise<string[]> {
      const { rows } = await owner.query<{ action: string }>(
        'select action from audit_entries where chain_id = $1 order by seq',
        [chainId],
      );
      return rows.map(({ action }) => action);
    },
    /** Outbox events, oldest first; they are removed. */
    async takeOutbox(): Promise<{ topic: string; organization_id: string | null; ids: string[] }[]> {
      const { rows } = await owner.query('delete from outbox returning topic, organization_id, ids, xid, position');
      return rows.sort((a, b) => Number(a.position) - Number(b.position));
    },
    /**
     * Run `first` until it waits for a locked row, then `second` until it waits or is done; then unlock. This makes the two collide.
     * @param row a statement that locks the row
     */
    async collide<First, Second>(
      row: string,
      first: () => Promise<First>,
      second: () => Promise<Second>,
    ): Promise<[First, Second]> {
      await owner.query('begin');
      await owner.query(row);
      const waiting = async () =>
        (await reader.rows(sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
          .length;
      const one = first();
      await until(async () => (await waiting()) === 1);
      let isDone = false;
      const two = second().finally(() => {
        isDone = true;
      });
      await until(async () => isDone || (await waiting()) === 2);
      await owner.query('commit');
      return Promise.all([one, two]);
    },
    async close(): Promise<void> {
      await owner.end();
      await server.close();
      await opened.close();
      await test.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One app for the tests of a file or of a `describe`: opened before the first, closed after the last. @param at as in `openTestApp` */
export function useTestApp(at?: string): TestApp {
  const app = {} as TestApp;
  beforeAll(async () => {
    Object.assign(app, await openTestApp(at));
  });
  afterAll(() => app.close());
  return app;
}

function actorOf(scope: MainScope | OrganizationScope, role: Role): Actor {
  return {
    accountId: newId(),
    email: `${role}@highline.invalid`,
    name: role,
    role,
    mainAccountId: scope.mainAccountId,
    organizationId: scope.kind === 'organization' ? scope.organizationId : null,
    address: '127.0.0.1',
    sessionId: randomBytes(32).toString('hex'),
  };
}

/** All rows of a stream. */
export async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

/** Sorted numbers or texts, to compare unordered results. */
export function sorted<Value extends number | string>(values: readonly Value[]): Value[] {
  return values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

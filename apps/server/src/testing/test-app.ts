import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '@highline/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { createFolderBlobs } from '../platform/adapters/blobs/folder.ts';
import type { AuditKey } from '../platform/adapters/audit/key.ts';
import { createDatabase } from '../platform/adapters/database.ts';
import { createFolderTransport } from '../platform/adapters/mail/folder.ts';
import { isConnectionFault, openDatabase } from '../platform/adapters/postgres/connect.ts';
import { registerDomains } from '../compose/domains.ts';
import { countPerson, countTestMail } from '../domains/accounts/index.ts';
import { createKeyLimiter, createKeyReader } from '../domains/api-keys/index.ts';
import { createAnswerSealing, createIdempotency } from '../platform/idempotency/index.ts';
import { firstStepOfCall } from '../platform/calls/call-steps.ts';
import { createSeal } from '../domains/configs/index.ts';
import { createCodeSeal } from '../domains/esims/index.ts';
import { createAuthoritySealing } from '../domains/inventory/index.ts';
import { createOrganizationFinder } from '../domains/organizations/index.ts';
import { hashBearer } from '../transport/http/bearer.ts';
import { RouteTable } from '../transport/http/register.ts';
import { createHttpServer } from '../transport/http/server.ts';
import { newId, type Actor, type MainScope, type OrganizationScope } from '../kernel/index.ts';
import {
  createKeySamples,
  createReader,
  createRowStreams,
  createTimedReader,
  type Reader,
  type RowStreams,
} from '../platform/listing/index.ts';
import { createLog } from '../platform/process/log.ts';
import type { Clock, Contact, Database } from '../platform/ports/index.ts';
import { newAuditKey } from './audit-key.ts';
import { createSecretSealing } from '../domains/webhooks/index.ts';
import { createWebCaller } from '../platform/adapters/web-caller/web-caller.ts';
import { createTestDatabase } from './database.ts';
import { createMovingClock, formOf, until } from './call.ts';
import { createSigner } from './images.ts';
import { readMails, type StoredMail } from './mail.ts';
import { createTestSealing } from './sealing.ts';
import { createSeeding, type Seeding, type SeedingStores } from './seeding.ts';

/** One call of a test. */
export interface TestCall {
  readonly as?: Actor;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Content of a file to send as multipart; `body` then holds text fields. */
  readonly file?: string | Uint8Array<ArrayBuffer>;
  /** File name given by the sender. */
  readonly fileName?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAnswer {
  readonly status: number;
  readonly text: string;
  /** The raw body, for files. */
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

/**
 * The domains of devices, groups, firmware, config files, inventory and organizations over a separate database, called over HTTP
 * without a network.
 */
export interface TestApp {
  readonly database: Database;
  readonly reader: Reader;
  readonly streams: RowStreams;
  /** The owner's connection, with all rights. */
  readonly owner: Client;
  readonly seeding: Seeding;
  readonly clock: Clock & { set(at: string): void };
  /** Last contacts by router id, as if these routers were connected. */
  readonly contacts: Map<string, Contact>;
  /** Ids of routers whose connections the device link was requested to close. */
  readonly disconnected: string[];
  readonly expiringDays: number;
  readonly stores: SeedingStores;
  /** Signs exported logs. */
  readonly auditKey: AuditKey;
  /** A signed-in user. */
  person(scope: MainScope | OrganizationScope, role: Role): Actor;
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, call?: TestCall): Promise<TestAnswer>;
  /** Mails to an address, newest first. */
  mailsTo(recipient: string): Promise<StoredMail[]>;
  /** Actions of a log, oldest first. */
  logOf(chainId: string): Promise<string[]>;
  /** Outbox events, oldest first; they are removed. */
  takeOutbox(): Promise<{ topic: string; organization_id: string | null; ids: string[] }[]>;
  /**
   * Run `first` until it waits for a locked row, then `second` until it waits or is done; then unlock. This makes the two
   * collide.
   * @param row a statement that locks the row
   */
  collide<First, Second>(row: string, first: () => Promise<First>, second: () => Promise<Second>): Promise<[First, Second]>;
  close(): Promise<void>;
}

/** The largest image accepted here. */
export const MAX_IMAGE_BYTES = 3 * 1_048_576;

/** @param at initial time of the clock, UTC */
export async function openTestApp(at = '2026-11-20T12:00:00Z'): Promise<TestApp> {
  const test = await createTestDatabase();
  const log = createLog('silent');
  const opened = await openDatabase(test.settings, log);
  const database = createDatabase(opened.pool, () => {}, undefined, undefined, undefined, firstStepOfCall);
  const reader = createReader(database);
  const streams = createRowStreams(reader);
  const clock = createMovingClock(at);
  const actors = new Map<string, Actor>();
  const disconnected: string[] = [];
  const app = await createHttpServer({ log, trustedProxies: [], tls: undefined, secure: false, isBusy: isConnectionFault });
  const folder = await mkdtemp(join(tmpdir(), 'highline-test-'));
  const table = new RouteTable(app, {
    keys: createKeyReader({ database, clock }),
    counter: createKeyLimiter({ database, clock }),
    idempotency: createIdempotency({ database, sealing: createAnswerSealing(createSecretKey(randomBytes(32))), log }),
    sessions: { readSession: async (hash) => actors.get(hash.toString('hex')) },
    organizations: createOrganizationFinder(database),
    ownOrigin: undefined,
    checkAnswers: true,
    spoolFolder: join(folder, 'uploads'),
  });
  const expiringDays = 30;
  const noRouter = () => Promise.reject(new Error('No router is connected in this test.'));
  const deviceLink = {
    isConnected: () => false,
    awaitsSetUp: () => false,
    disconnect: (ids: readonly string[]) => void disconnected.push(...ids),
    get: noRouter,
    commandsOf: noRouter,
    sendReadings: noRouter,
    operate: noRouter,
    set: noRouter,
    refresh: noRouter,
    listen: () => {},
  };
  const contacts = new Map<string, Contact>();
  const stores = {
    blobs: createFolderBlobs(join(folder, 'blobs')),
    seal: createSeal(createSecretKey(randomBytes(32))),
    signer: createSigner(),
    codes: createCodeSeal(createSecretKey(randomBytes(32))),
  };
  const auditKey = newAuditKey();
  const mailSealing = createTestSealing();
  registerDomains(table, {
    ...stores,
    database,
    reader,
    streams,
    keySamples: createKeySamples({ clock, onChanged: () => {} }),
    clock,
    log,
    deviceLink,
    contacts: { latest: (id) => contacts.get(id) },
    agent: { address: 'ws://cloud.test', controllerId: 'self::highline' },
    onChanged: () => {},
    expiringDays,
    maxBytes: MAX_IMAGE_BYTES,
    publicKeys: [stores.signer.publicKey],
    runs: { run: noRouter },
    operations: () => table.operations,
    wakeJobs: () => {},
    removeFirst: async () => {},
    caller: createWebCaller({ allowsHttp: false, allowedNetworks: [] }),
    webhookSealing: createSecretSealing(createSecretKey(randomBytes(32))),
    wakeWebhooks: () => {},
    clientTls: { isServed: true, trustsOthers: false },
    authorities: { sealing: createAuthoritySealing(createSecretKey(randomBytes(32))), authorityAdded: () => {} },
    auditKey,
    publicUrl: 'https://cloud.test',
    mailSealing,
    countPerson,
    countTestMail,
    transport: createFolderTransport(join(folder, 'test-mails'), 'Highline <no-reply@cloud.test>'),
    mailOrigin: () => 'https://cloud.test',
    timed: createTimedReader(reader),
    keptDays: 30,
    reportSeconds: 60,
  });
  const owner = new Client(test.ownerUrl);
  await owner.connect();
  return {
    mailsTo: (recipient) => readMails(owner, mailSealing, recipient),
    database,
    reader,
    streams,
    owner,
    seeding: createSeeding(database, clock, stores),
    stores,
    auditKey,
    clock,
    contacts,
    disconnected,
    expiringDays,
    person: (scope, role) => signIn(actors, scope, role),
    call: (method, path, call = {}) => send(app, method, path, call),
    async logOf(chainId) {
      const { rows } = await owner.query<{ action: string }>(
        'select action from audit_entries where chain_id = $1 order by seq',
        [chainId],
      );
      return rows.map(({ action }) => action);
    },
    async takeOutbox() {
      const { rows } = await owner.query('delete from outbox returning topic, organization_id, ids, xid, position');
      return rows.sort((a, b) => Number(a.position) - Number(b.position));
    },
    async collide(row, first, second) {
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
    async close() {
      await owner.end();
      await app.close();
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

function signIn(actors: Map<string, Actor>, scope: MainScope | OrganizationScope, role: Role): Actor {
  const accountId = newId();
  const actor: Actor = {
    accountId,
    email: `${role}@highline.invalid`,
    name: role,
    role,
    mainAccountId: scope.mainAccountId,
    organizationId: scope.kind === 'organization' ? scope.organizationId : null,
    address: '127.0.0.1',
    sessionId: randomBytes(32).toString('hex'),
  };
  actors.set(hashBearer(actor.sessionId).toString('hex'), actor);
  return actor;
}

async function send(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  call: TestCall,
): Promise<TestAnswer> {
  const { as, query = {}, body, file, fileName = 'rows.csv', headers } = call;
  const sent = file === undefined ? undefined : await multipart(body, file, fileName);
  const answer = await app.inject({
    method,
    url: path,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as.sessionId}` }),
      ...(sent === undefined ? {} : { 'content-type': sent.type }),
      ...headers,
    },
    ...(sent === undefined ? (body === undefined ? {} : { payload: body as object }) : { payload: sent.payload }),
  });
  const json =
    answer.body !== '' && String(answer.headers['content-type']).includes('application/json')
      ? (JSON.parse(answer.body) as unknown)
      : undefined;
  return { status: answer.statusCode, text: answer.body, bytes: answer.rawPayload, headers: answer.headers, json };
}

async function multipart(
  body: unknown,
  file: string | Uint8Array<ArrayBuffer>,
  fileName: string,
): Promise<{ type: string; payload: Buffer }> {
  const response = new Response(formOf(body as Record<string, string> | undefined, { name: fileName, contents: file }));
  return { type: response.headers.get('content-type')!, payload: Buffer.from(await response.arrayBuffer()) };
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

import { createSecretKey, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Role } from '@highline/contract';
import { afterAll, beforeAll } from 'vitest';
import { newId, type Actor, type MainScope, type OrganizationScope } from '../kernel/index.ts';
import { derivePushKey, pushKeyPairOf } from '../domains/webhooks/index.ts';
import { createFolderCheckpoints } from '../platform/adapters/audit/checkpoints.ts';
import { createFolderBlobs } from '../platform/adapters/blobs/folder.ts';
import { createProcessKeys } from '../platform/adapters/installation/keys.ts';
import { createReader, createRowStreams } from '../platform/listing/index.ts';
import type { Contact } from '../platform/ports/index.ts';
import { hashBearer } from '../transport/http/bearer.ts';
import { generateHostKey, hostKeyOf } from '../transport/tunnels/index.ts';
import { newAuditKey } from './audit-key.ts';
import { createMovingClock } from './call.ts';
import { composeTestServer } from './server.ts';
import { inject, type Method, type TestCall } from './inject.ts';
import { silentLog } from './log.ts';

export type { TestResponse, TestCall } from './inject.ts';

const MAX_IMAGE_MB = 3;
/** The largest image accepted here. */
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1_048_576;

export type TestApp = Awaited<ReturnType<typeof openTestApp>>;

/**
 * The server over a separate database, called without a network. As it does not listen, nothing happens besides the calls.
 * @param at initial time of the clock, UTC
 */
export async function openTestApp(at = '2026-11-20T12:00:00Z') {
  const clock = createMovingClock(at);
  const actors = new Map<string, Actor>();
  const disconnected: string[] = [];
  const contacts = new Map<string, Contact>();
  const key = createSecretKey(randomBytes(32));
  const environment = {
    PUBLIC_URL: 'https://cloud.test',
    TRUSTED_PROXIES: '127.0.0.1',
    HIGHLINE_MASTER_KEY: key.export().toString('base64'),
    SMTP_URL: 'none',
    FIRMWARE_MAX_MB: String(MAX_IMAGE_MB),
  };
  const { server, settings, installation, owner, stores, seeding, mailsTo, close } = await composeTestServer(
    { clock, environment },
    {
      mode: 'serve',
      makeInstallation: ({ dataDir, firmware }) => ({
        masterKeys: createProcessKeys(key, [key]),
        auditKey: newAuditKey(),
        hostKey: hostKeyOf(generateHostKey()),
        pushKey: pushKeyPairOf(derivePushKey(key)),
        linkKey: key,
        blobs: createFolderBlobs(firmware.folder),
        checkpoints: createFolderCheckpoints(join(dataDir, 'audit')),
        close: () => {},
      }),
      parts: {
        sessions: { readSession: async (hash) => actors.get(hash.toString('hex')) },
        contacts: { latest: (id) => contacts.get(id) },
        linkOf: (own) => ({ ...own, disconnect: (ids) => void disconnected.push(...ids) }),
      },
    },
  );
  const { database } = server;
  const reader = createReader(database);
  return {
    database,
    reader,
    streams: createRowStreams(reader),
    /** The owner's connection, with all rights. */
    owner,
    seeding,
    clock,
    /** Last contacts by router id, as if these routers were connected. */
    contacts,
    /** Ids of routers whose connections the device link was requested to close. */
    disconnected,
    expiringDays: settings.expiringDays,
    log: silentLog,
    stores,
    /** Signs exported logs. */
    auditKey: installation.auditKey,
    /** A signed-in user. */
    person(scope: MainScope | OrganizationScope, role: Role): Actor {
      const actor = actorOf(scope, role);
      actors.set(hashBearer(actor.sessionId).toString('hex'), actor);
      return actor;
    },
    call: (method: Method, path: string, call?: TestCall) => inject(server, method, path, call),
    /** Mails to an address, newest first. */
    mailsTo,
    /** Actions of a log, oldest first. */
    async logOf(chainId: string): Promise<string[]> {
      const { rows } = await owner.query<{ action: string }>(
        'select action from audit_entries where chain_id = $1 order by seq',
        [chainId],
      );
      return rows.map(({ action }) => action);
    },
    /** Outbox events, oldest first; they are removed. Without those of the log, of which each entry has one. */
    async takeOutbox(): Promise<{ topic: string; organization_id: string | null; ids: string[] }[]> {
      const { rows } = await owner.query('delete from outbox returning topic, organization_id, ids, xid, position');
      return rows.filter(({ topic }) => topic !== 'logs').sort((a, b) => Number(a.position) - Number(b.position));
    },
    close: () => close(),
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

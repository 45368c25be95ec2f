import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { rollouts } from '@highline/contract';
import { expect } from 'vitest';
import type { Clock } from '../platform/ports/clock.ts';
import { ask } from './call.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import type { AgentIdentity } from './agents.ts';
import type { SharedDatabase } from './process.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';
import { UpdatingRouter, type UpdatingRouterOptions } from './updating-router.ts';
import type { Row } from '../platform/ports/tables.ts';

/** A running clock that can be advanced. */
export interface MovableClock extends Clock {
  move(milliseconds: number): void;
}

export function createMovableClock(): MovableClock {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    move(milliseconds) {
      offset += milliseconds;
    },
  };
}

/** A router of a group, and the device that claims it. */
export interface GroupRouter extends UpdatingRouter {
  readonly device: string;
  readonly serial: string;
}

/** A router of a group, as an agent needs it. */
export interface GroupMember extends AgentIdentity {
  readonly device: string;
}

type RouterChoice = Omit<UpdatingRouterOptions, 'server' | 'secret' | 'endpointId'>;

interface TargetRow extends Row<
  'rollout_targets',
  'state' | 'reason' | 'detail' | 'percent' | 'attempt' | 'step_key' | 'checked_by' | 'is_canary'
> {
  readonly phase: string;
}

export type RolloutFixture = Awaited<ReturnType<typeof openRolloutFixture>>;

const BINDING = '/data_manager/v1/binding/group';

/** A whole server with one organization, whose groups and routers a test creates. */
export async function openRolloutFixture(
  options: Pick<
    TestServerOptions,
    | 'rollouts'
    | 'downloads'
    | 'esims'
    | 'sentCommands'
    | 'database'
    | 'masterKey'
    | 'bucketUrl'
    | 'environment'
    | 'lease'
    | 'balance'
    | 'offlineSeconds'
    | 'metrics'
  > = {},
) {
  const database: TestDatabase = options.database ?? (await createTestDatabase());
  const clock = createMovableClock();
  const folder = mkdtempSync(join(tmpdir(), 'highline-rollouts-'));
  const folders = [folder];
  const masterKey = options.masterKey ?? randomBytes(32).toString('hex');
  const start = (ownFolder = folder) => startTestServer({ ...options, clock, database, folder: ownFolder, masterKey });
  let server = await start();
  const others = new Set<TestServer>();
  const main = (await server.seeding.mainAccount('Rollouts')).scope;
  const scope = await server.seeding.organization(main, 'Rollouts');
  const account = await server.seeding.account(scope, `${randomBytes(6).toString('hex')}@highline.invalid`, 'admin');
  const routers: GroupRouter[] = [];
  let count = 0;
  const address = () => server.url.replace('http', 'ws');

  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    // A new session for each call, started by the advanced clock.
    const bearer = await server.seeding.bearer(account);
    await server.owner.query('update sessions set created_at = $1, last_used_at = $1 where account_id = $2', [
      clock.now(),
      account,
    ]);
    return ask<T>(`${server.url}${path}`, { method, bearer, body });
  };
  const rollout = async (group: string, kind: 'firmware' | 'config' = 'firmware') => {
    const all = await call<rollouts.Rollout[]>('GET', `${BINDING}/rollouts?group=${encodeURIComponent(group)}`);
    return all.find((each) => each.kind === kind)!;
  };
  const targetOf = async (id: string, device: string) => {
    const { rows } = await server.owner.query<TargetRow>(
      'select * from rollout_targets where binding_id = $1 and device_id = $2',
      [id, device],
    );
    return rows[0];
  };

  const members = async (group: string, many: number): Promise<GroupMember[]> => {
    const added = Array.from({ length: many }, () => {
      count++;
      return { serial: `RO${String(count).padStart(6, '0')}`, mac: randomBytes(6).toString('hex').toUpperCase() };
    });
    const registered = await server.seeding.routers(main, added);
    const devices = await server.seeding.devices(
      scope,
      added.map((router) => ({ ...router, group })),
    );
    return registered.map((router, index) => ({ ...router, device: devices[index]! }));
  };

  return {
    get server() {
      return server;
    },
    /** Routers of a group without an agent: the test's own agents connect with their secrets. */
    members,
    clock,
    scope,
    /** ws://host:port */
    address,
    call,
    rollout,
    group: () => server.seeding.group(scope, `Group ${++count}`),
    /** Routers of a group, not connected yet. */
    async routers(group: string, many: number, choice: RouterChoice = {}): Promise<GroupRouter[]> {
      const made = (await members(group, many)).map(({ secret, endpointId, serial, device }) =>
        Object.assign(new UpdatingRouter({ server: address(), secret, endpointId, ...choice }), { serial, device }),
      );
      routers.push(...made);
      return made;
    },
    firmware: (version: string, model = 'HL-R320', payload?: Uint8Array) =>
      server.seeding.firmware(main, { model, version, ...(payload === undefined ? {} : { payload }) }),
    config: (name: string, contents?: string) =>
      server.seeding.config(scope, { name, ...(contents === undefined ? {} : { contents }) }),
    async bind(kind: 'firmware' | 'config', group: string, file: string, more: Readonly<Record<string, unknown>> = {}) {
      await call('POST', `${BINDING}/${kind}`, { group, [kind]: file, schedule: 'immediate', ...more });
      return rollout(group, kind);
    },
    targets: (id: string) => call<rollouts.RolloutTarget[]>('GET', `${BINDING}/targets?limit=100&rollout=${id}`),
    async control(id: string, action: string, devices?: readonly string[]) {
      await call('POST', `${BINDING}/rollout`, { rollout: id, action, ...(devices === undefined ? {} : { devices }) });
    },
    /** Wait until a router's target has this state. */
    async becomes({ id }: { readonly id: string }, { device }: Pick<GroupRouter, 'device'>, expected: Partial<TargetRow>) {
      await expect.poll(() => targetOf(id, device)).toMatchObject(expected);
    },
    /** Wait until a router received this many commands. */
    async awaitRequests(router: UpdatingRouter, times: number) {
      await expect.poll(() => router.operations.length).toBe(times);
    },
    /** Cut all routers off, and wait until the server knows. */
    async cutAll() {
      for (const router of routers) router.cut();
      const online = async () => (await server.owner.query("select 1 from routers where presence <> 'offline'")).rows.length;
      await expect.poll(online).toBe(0);
    },
    /** Stop this server and start another one on the same database. Routers are cut off. */
    async restart() {
      for (const router of routers) router.cut();
      await server.close();
      server = await start();
    },
    /** Start one more server on the same database, as on another machine. It is closed with the fixture, if `stop` did not. */
    async startAnother() {
      const own = mkdtempSync(join(tmpdir(), 'highline-rollouts-'));
      folders.push(own);
      const other = await start(own);
      others.add(other);
      const stop = async () => {
        others.delete(other);
        await other.close();
      };
      return { ...other, stop };
    },
    /** For a server process on the same database. */
    shared: {
      ownerUrl: database.ownerUrl,
      serveUrl: database.serveUrl,
      masterKey,
      environment: { ...options.environment, ...(options.bucketUrl === undefined ? {} : { BLOBS_URL: options.bucketUrl }) },
    } satisfies SharedDatabase,
    async close() {
      for (const router of routers) router.cut();
      for (const other of others) await other.close();
      await server.close();
      if (options.database === undefined) await database.close();
      for (const made of folders) rmSync(made, { recursive: true, force: true });
    },
  };
}

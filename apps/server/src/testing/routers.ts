import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { makeMac, routerEndpointId } from '@highline/usp';
import { sql, type Selectable } from 'kysely';
import type { Pool } from 'pg';
import { createDatabase } from '../platform/adapters/database.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { valuesOfReport } from '../domains/router-state/index.ts';
import { hashRouterSecret, mintSecret } from '../domains/inventory/index.ts';
import { newId } from '../kernel/ids.ts';
import type { Database, Tables } from '../platform/ports/index.ts';
import { createTestDatabase, runAs, testCluster, type TestDatabase } from './database.ts';
import { silentLog } from './log.ts';

/** A separate database for one test file, as domains use it, with one main account and one organization. */
export interface RouterDatabase {
  readonly database: Database;
  readonly pool: Pool;
  readonly test: TestDatabase;
  readonly mainAccountId: string;
  readonly organizationId: string;
  deviceOf(router: TestRouter): Promise<Selectable<Tables['devices']>>;
  routerOf(router: TestRouter): Promise<Selectable<Tables['routers']>>;
  /** Its last contact as stored. */
  contactOf(router: TestRouter): Promise<Selectable<Tables['router_contacts']> | undefined>;
  telemetryOf(router: TestRouter): Promise<readonly StoredValue[]>;
  /** Its connection history as `kind: reason`, oldest first. */
  historyOf(router: TestRouter): Promise<readonly string[]>;
  /** Cut every connection of the server, as a restart of PostgreSQL does. */
  cutConnections(): Promise<void>;
  /** From now on no connection is available, until repaired. `tries` counts the attempts. */
  breakDatabase(): { tries(): number; repair(): void };
  close(): Promise<void>;
}

/** A measured value, and when. */
export interface StoredValue {
  readonly at: Date;
  /** Its number in the catalogue. */
  readonly parameter: number;
  readonly value: number;
}

/** A router of the inventory with its secret. */
export interface TestRouter {
  readonly id: string;
  readonly serial: string;
  readonly mac: string;
  readonly endpointId: string;
  readonly secret: string;
  /** The device that claims it. */
  readonly deviceId: string;
}

export async function openRouterDatabase(): Promise<RouterDatabase> {
  const test = await createTestDatabase();
  const opened = await openDatabase(test.settings, silentLog);
  const database = createDatabase(opened.pool, () => {});
  const name = (await opened.pool.query<{ name: string }>('select current_database() as name')).rows[0]!.name;
  const [mainAccountId, organizationId] = [newId(), newId()];
  await database.write(async (tx) => {
    await tx.insertInto('main_accounts').values({ id: mainAccountId, name: 'Main' }).execute();
    await tx.insertInto('organizations').values({ id: organizationId, main_account_id: mainAccountId, name: 'Own' }).execute();
    await tx.insertInto('groups').values({ organization_id: organizationId, key: DEFAULT_GROUP_KEY, name: 'default' }).execute();
  });
  return {
    database,
    pool: opened.pool,
    test,
    mainAccountId,
    organizationId,
    deviceOf: ({ deviceId }) =>
      database.read.selectFrom('devices').selectAll().where('id', '=', deviceId).executeTakeFirstOrThrow(),
    routerOf: ({ id }) => database.read.selectFrom('routers').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    contactOf: ({ id }) => database.read.selectFrom('router_contacts').selectAll().where('router_id', '=', id).executeTakeFirst(),
    async telemetryOf({ id }) {
      const { rows } = await sql<StoredValue>`select t.at, v.parameter, v.value
        from telemetry_reports t cross join lateral ${valuesOfReport('t')}
        where t.router_id = ${id}::uuid and v.value is not null order by t.at`.execute(database.read);
      return rows;
    },
    async historyOf({ id }) {
      const rows = await database.read.selectFrom('connectivity').selectAll().where('router_id', '=', id).orderBy('at').execute();
      return rows.map(({ kind, reason }) => `${kind}: ${reason}`);
    },
    cutConnections: () =>
      runAs(
        testCluster().superuser,
        // Waits for their end: a later query would otherwise meet a connection that is about to end.
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${name}' and application_name = 'highline'`,
      ),
    breakDatabase() {
      const connect = opened.pool.connect;
      let tries = 0;
      opened.pool.connect = (() => {
        tries++;
        return Promise.reject(new Error('Connection terminated'));
      }) as never;
      return { tries: () => tries, repair: () => void (opened.pool.connect = connect) };
    },
    async close() {
      await opened.close();
      await test.close();
    },
  };
}

let serial = 0;

/** Add routers to the inventory, each claimed by a device of the organization. */
export async function addTestRouters(fleet: RouterDatabase, count: number): Promise<TestRouter[]> {
  const routers = Array.from({ length: count }, (): TestRouter => {
    const n = serial++;
    const mac = makeMac(n);
    const name = `TEST-${String(n).padStart(6, '0')}`;
    return {
      id: newId(),
      serial: name,
      mac,
      endpointId: routerEndpointId(mac.slice(0, 6), name),
      secret: mintSecret(),
      deviceId: newId(),
    };
  });
  await fleet.database.write(async (tx) => {
    await sql`insert into routers (id, main_account_id, serial, mac, endpoint_id, secret_hash, organization_id, device_id)
      select n.id, ${fleet.mainAccountId}::uuid, n.serial, n.mac, n.endpoint_id, n.hash, ${fleet.organizationId}::uuid, n.device_id
      from unnest(${routers.map(({ id }) => id)}::uuid[], ${routers.map(({ serial }) => serial)}::text[],
        ${routers.map(({ mac }) => mac)}::text[], ${routers.map(({ endpointId }) => endpointId)}::text[],
        ${routers.map(({ secret }) => hashRouterSecret(secret))}::bytea[], ${routers.map(({ deviceId }) => deviceId)}::uuid[]
      ) as n (id, serial, mac, endpoint_id, hash, device_id)`.execute(tx);
    await sql`insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key)
      select r.organization_id, r.device_id, r.main_account_id, r.id, r.serial, r.mac, ${DEFAULT_GROUP_KEY}
      from routers r where r.id = any (${routers.map(({ id }) => id)}::uuid[])`.execute(tx);
  });
  return routers;
}

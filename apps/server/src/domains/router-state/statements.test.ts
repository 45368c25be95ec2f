import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Tables } from '../../platform/ports/tables.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { insertChangedFacts } from './history/router-facts.ts';
import { mirroredColumns, mirroredValues, projectPresence, projectReported } from './projection.ts';

/** The statements that `write` sends, one space for each run of white space. */
async function statementsOf(write: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const database = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql.replaceAll(/\s+/gu, ' ').trim()),
  });
  await write(database as unknown as Tx);
  return statements;
}

it('DEV-09-partial the connection of a router is copied to its device by this statement', async () => {
  expect(await statementsOf((tx) => projectPresence(tx, ['id']))).toMatchInlineSnapshot(`
    [
      "/* planned once */ with r as materialized ( select organization_id, device_id, presence, presence_since, presence_reason, reported from routers where id = any ($1::uuid[]) ) update devices d set ("presence", "presence_since", "presence_reason") = row (r.presence, r.presence_since, r.presence_reason) from r where d.organization_id = r.organization_id and d.id = r.device_id and d.archived_at is null and ("d"."presence", "d"."presence_since", "d"."presence_reason") is distinct from (r.presence, r.presence_since, r.presence_reason) returning d.id, d.organization_id, d.main_account_id",
    ]
  `);
});

it('DEV-09-partial the facts of a router are copied to its device by this statement', async () => {
  expect(await statementsOf((tx) => projectReported(tx, ['id']))).toMatchInlineSnapshot(`
    [
      "/* planned once */ with r as materialized ( select organization_id, device_id, presence, presence_since, presence_reason, reported from routers where id = any ($1::uuid[]) ) update devices d set ("model", "hardware_version", "firmware", "config", "config_version", "booted_at", "carrier", "technology", "cell_id", "uplink_kind", "ignition", "imei", "imsi", "iccid", "mtn", "eid") = row (left(r.reported ->> 'model', 200), left(r.reported ->> 'hardware_version', 200), left(r.reported ->> 'firmware', 200), left(r.reported ->> 'config', 200), left(r.reported ->> 'config_version', 200), (r.reported ->> 'booted_at')::timestamptz, left(r.reported ->> 'carrier', 200), left(r.reported ->> 'technology', 200), left(r.reported ->> 'cell_id', 200), left(r.reported ->> 'uplink_kind', 200), left(r.reported ->> 'ignition', 200), left(r.reported ->> 'imei', 200), left(r.reported ->> 'imsi', 200), left(r.reported ->> 'iccid', 200), left(r.reported ->> 'mtn', 200), left(r.reported ->> 'eid', 200)) from r where d.organization_id = r.organization_id and d.id = r.device_id and d.archived_at is null and ("d"."model", "d"."hardware_version", "d"."firmware", "d"."config", "d"."config_version", "d"."booted_at", "d"."carrier", "d"."technology", "d"."cell_id", "d"."uplink_kind", "d"."ignition", "d"."imei", "d"."imsi", "d"."iccid", "d"."mtn", "d"."eid") is distinct from (left(r.reported ->> 'model', 200), left(r.reported ->> 'hardware_version', 200), left(r.reported ->> 'firmware', 200), left(r.reported ->> 'config', 200), left(r.reported ->> 'config_version', 200), (r.reported ->> 'booted_at')::timestamptz, left(r.reported ->> 'carrier', 200), left(r.reported ->> 'technology', 200), left(r.reported ->> 'cell_id', 200), left(r.reported ->> 'uplink_kind', 200), left(r.reported ->> 'ignition', 200), left(r.reported ->> 'imei', 200), left(r.reported ->> 'imsi', 200), left(r.reported ->> 'iccid', 200), left(r.reported ->> 'mtn', 200), left(r.reported ->> 'eid', 200)) returning d.id, d.organization_id, d.main_account_id",
    ]
  `);
});

it('DEV-09-partial a claim copies the connection and all facts by this part of its statement', async () => {
  const copy = sql`insert into devices (${mirroredColumns}) select ${mirroredValues} from routers r`;
  expect(await statementsOf((tx) => copy.execute(tx))).toMatchInlineSnapshot(`
    [
      "insert into devices ("presence", "presence_since", "presence_reason", "model", "hardware_version", "firmware", "config", "config_version", "booted_at", "carrier", "technology", "cell_id", "uplink_kind", "ignition", "imei", "imsi", "iccid", "mtn", "eid") select r.presence, r.presence_since, r.presence_reason, left(r.reported ->> 'model', 200), left(r.reported ->> 'hardware_version', 200), left(r.reported ->> 'firmware', 200), left(r.reported ->> 'config', 200), left(r.reported ->> 'config_version', 200), (r.reported ->> 'booted_at')::timestamptz, left(r.reported ->> 'carrier', 200), left(r.reported ->> 'technology', 200), left(r.reported ->> 'cell_id', 200), left(r.reported ->> 'uplink_kind', 200), left(r.reported ->> 'ignition', 200), left(r.reported ->> 'imei', 200), left(r.reported ->> 'imsi', 200), left(r.reported ->> 'iccid', 200), left(r.reported ->> 'mtn', 200), left(r.reported ->> 'eid', 200) from routers r",
    ]
  `);
});

it('changes of recorded facts are kept by this statement', async () => {
  expect(await statementsOf((tx) => insertChangedFacts(sql`news`).execute(tx))).toMatchInlineSnapshot(`
    [
      "insert into router_facts (router_id, fact, value) select n.id, k.fact, left(coalesce(n.reported ->> k.fact, ''), 200) from news n join routers r on r.id = n.id join unnest($1::text[]) k (fact) on n.reported ? k.fact and coalesce(n.reported ->> k.fact, '') <> coalesce(r.reported ->> k.fact, '') where (select count(*) from router_facts f where f.router_id = n.id and f.at > now() - interval '1 hour') < $2",
    ]
  `);
});

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { send } from '@highline/testkit/calls';
import { createDatabase, systemClock } from '@highline/testkit/database';
import { createSeeding } from '@highline/testkit/seeding';
import { makeMac } from '@highline/usp';
import { type Child, startChild } from '../../../bench/child.ts';
import type { StormCluster } from './cluster.ts';
import type { RouterRecord, StormFleetResponses } from './fleet.ts';
import { watchRouters, type Watch } from './watch.ts';
import type { WorkInput } from './work.ts';

/** Routers of a storm, in one process for each version of the agent. */
export interface StormFleet {
  /** Serial numbers of the routers that are connected now. */
  connected(): Promise<string[]>;
  /** What each router saw, by serial number. */
  records(): Promise<Map<string, RouterRecord>>;
  stop(): Promise<void>;
}

/** A cluster with an organization, its routers, and what its users work on. */
export interface Storm {
  readonly cluster: StormCluster;
  readonly fleet: StormFleet;
  readonly watch: Watch;
  readonly input: WorkInput;
  readonly group: string;
  readonly count: number;
}

/** Devices without a router that connects. */
const SPARE = 100;

/** @param count of routers that connect */
export async function prepareStorm(cluster: StormCluster, count: number): Promise<Storm> {
  const { seeding, close } = openSeeding(cluster);
  const { scope: main, actor } = await seeding.mainAccount('Storm');
  const scope = await seeding.organization(main, 'Storm');
  const admin = await seeding.bearer(await seeding.account(scope, 'storm@highline.invalid', 'admin'));
  const [group, spareGroup] = [await seeding.group(scope, 'Fleet'), await seeding.group(scope, 'Spare')];
  const all = Array.from({ length: count + SPARE }, (_, index) => ({
    serial: `STORM${String(index).padStart(5, '0')}`,
    mac: makeMac(0xb10000 + index),
  }));
  const registered = await seeding.routers(main, all);
  const connecting = all.slice(0, count).map((router) => ({ ...router, group }));
  const ids = await seeding.devices(scope, connecting);
  const spare = await seeding.devices(scope, all.slice(count));
  const mainBearer = await seeding.bearer(actor.accountId);
  await close();
  const secrets = new Map(registered.map(({ serial, secret }) => [serial, secret]));
  const routers = connecting.map(({ serial, mac }) => ({
    serial,
    mac,
    secret: secrets.get(serial)!,
    model: 'HL-STORM',
    firmware: '1.0.0',
  }));
  const fleet = await startStormFleet(cluster, routers);
  const command = await send(`${cluster.url}/data_manager/v1/dm/commands`, {
    bearer: admin,
    body: { name: 'Find it', kind: 'identify', argument: '5' },
  });
  const input: WorkInput = {
    url: cluster.url,
    main: mainBearer,
    admin,
    organization: scope.organizationId,
    devices: connecting.map(({ serial }, index) => ({ id: ids[index]!, serial })),
    spare,
    spareGroup,
    command: command.json<{ result: { id: string } }>().result.id,
  };
  const watch = watchRouters(cluster.sql, () => fleet.connected());
  return { cluster, fleet, watch, input, group, count };
}

/** Without migrating: the version before has done so, and this one does when its first node starts. */
function openSeeding({ database }: StormCluster) {
  const pool = new Pool({ connectionString: database.serveUrl() });
  return {
    seeding: createSeeding(
      createDatabase(pool, () => {}),
      systemClock,
    ),
    close: () => pool.end(),
  };
}

type Routers = Parameters<StormFleetResponses['start']>[1];

/** Half of the routers run the agent of the version before, if that is another one. */
async function startStormFleet({ url, versions }: StormCluster, routers: Routers): Promise<StormFleet> {
  const here = fileURLToPath(new URL('fleet.ts', import.meta.url));
  const files = new Set([here, join(versions.former, 'scripts/soak/nodes/fleet.ts')]);
  const children: Child<StormFleetResponses>[] = [];
  for (const file of files) children.push(await startChild<StormFleetResponses>(file));
  const shareOf = (child: number) => routers.filter((_, index) => index % children.length === child);
  const start = (child: Child<StormFleetResponses>, index: number) =>
    child.ask('start', url.replace('http', 'ws'), shareOf(index), routers.length * 5);
  await Promise.all(children.map(start));
  return {
    connected: async () => (await Promise.all(children.map((child) => child.ask('connected')))).flat(),
    records: async () => new Map((await Promise.all(children.map((child) => child.ask('records')))).flatMap((each) => [...each])),
    async stop() {
      await Promise.all(children.map((child) => child.stop()));
    },
  };
}

/** Every router is connected and reads as online. */
export async function isAllRight({ cluster, fleet, count }: Storm): Promise<boolean> {
  if ((await fleet.connected()).length < count) return false;
  const { rows } = await cluster.sql.query<{ count: number }>(
    `select count(*)::int as count from routers r join nodes n on n.id = r.held_by and n.ended_at is null where r.presence = 'online'`,
  );
  return rows[0]!.count === count;
}

/** Which routers are not connected, or do not read as online, and by which nodes the others are held. */
export async function explainRouters({ cluster: { sql }, fleet }: Storm): Promise<string> {
  const connected = new Set(await fleet.connected());
  const { rows } = await sql.query<{ serial: string; presence: string; node: string | null; ended: Date | null }>(
    `select r.serial, r.presence, n.name as node, n.ended_at as ended from routers r left join nodes n on n.id = r.held_by`,
  );
  const wrong = rows.filter(({ serial, presence, node, ended }) => {
    const isOnline = presence === 'online' && node !== null && ended === null;
    return connected.has(serial) !== isOnline;
  });
  const { rows: nodes } = await sql.query(
    'select name, version, started_at, lease_until, ended_at from nodes order by started_at',
  );
  return JSON.stringify({
    connected: connected.size,
    wrong: wrong.slice(0, 10),
    wrongCount: wrong.length,
    nodes: nodes.slice(-6),
  });
}

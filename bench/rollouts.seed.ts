import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configs, firmware } from '@highline/contract';
import { ask, formOf } from '@highline/testkit/calls';
import { createSigner, imageOf } from '@highline/testkit/images';
import { startChild, type Child } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import type { FleetResponses } from './fleet.ts';
import { seedTablesAround } from './tables-around.ts';
import { allReconciled } from './routers.ts';
import { description, seedRouters, type ClaimedRouter } from './routers.seed.ts';

/** As in `description`. */
const MODEL = 'HL-R520 5G';
/** Ramp-up interval per router. */
const RAMP_MS_EACH = 2;

/** Servers with an organization whose routers are in groups, all of them connected and reconciled, spread evenly over the servers. */
export interface RolloutFixture {
  readonly database: BenchDatabase;
  /** The first one, which answers the calls of users. */
  readonly server: Highline;
  readonly servers: readonly Highline[];
  readonly fleet: Child<FleetResponses>;
  /** Bearer of an admin of the organization. */
  readonly bearer: string;
  readonly groups: readonly RolloutGroup[];
  /** A new config file. @returns its pk */
  config(bytes: number): Promise<string>;
  /** A new signed image. @returns its pk */
  firmware(bytes: number): Promise<string>;
  close(): Promise<void>;
}

export interface RolloutGroup {
  readonly key: string;
  readonly routers: readonly ClaimedRouter[];
}

/**
 * @param sizes routers of each group
 * @param nodes settings of each server, in addition to those that every server of a benchmark has
 */
export async function openRolloutFixture(
  cluster: Cluster,
  name: string,
  sizes: readonly number[],
  nodes: readonly NodeJS.ProcessEnv[] = [{}],
): Promise<RolloutFixture> {
  const count = sizes.reduce((sum, size) => sum + size, 0);
  const signer = createSigner();
  const publicKey = signer.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const keyFile = join(cluster.folder, `${name}.pem`);
  writeFileSync(keyFile, publicKey);
  const database = await cluster.open(name);
  const { routers, person } = await seedRouters(database, count);
  await seedTablesAround(database);
  const groups = await seedGroups(database, routers, sizes);
  const mainBearer = await database.seeding.bearer(await findMainPerson(database));
  const servers: Highline[] = [];
  for (const settings of nodes)
    servers.push(await startHighline(cluster, database, { FIRMWARE_PUBLIC_KEYS: keyFile, ...settings }));
  const server = servers[0]!;
  const fleet = await startChild<FleetResponses>('fleet.ts');
  await Promise.all(
    servers.map(async (each, at) => {
      const own = routers.filter((_, index) => index % servers.length === at).map(description);
      await fleet.ask('start', each.url.replace('http', 'ws'), own, count * RAMP_MS_EACH, [publicKey]);
      await allReconciled(each, own.length);
    }),
  );
  let files = 0;
  return {
    database,
    server,
    servers,
    fleet,
    bearer: person.bearer,
    groups,
    async config(bytes) {
      const contents = `# ${randomBytes(bytes).toString('hex')}`.slice(0, bytes);
      const body = formOf({}, { field: 'config', name: `bench-${++files}.cfg`, contents });
      return (await ask<{ pk: string }>(server.url + configs.uploadConfig.path, { bearer: person.bearer, body })).pk;
    },
    async firmware(bytes) {
      const version = `9.${++files}.0`;
      const contents = imageOf(signer, { model: MODEL, version, payload: randomBytes(bytes) });
      const body = formOf({ version, profile: MODEL }, { name: `${version}.img`, contents });
      return (await ask<{ pk: string }>(server.url + firmware.uploadFirmware.path, { bearer: mainBearer, body })).pk;
    },
    async close() {
      await fleet.stop();
      await Promise.all(servers.map((each) => each.stop()));
      await database.close();
    },
  };
}

/** The first group is the organization's own; the others are created. */
async function seedGroups(
  { owner }: BenchDatabase,
  routers: readonly ClaimedRouter[],
  sizes: readonly number[],
): Promise<RolloutGroup[]> {
  const { rows } = await owner.query<{ key: string }>('select group_key as key from devices limit 1');
  const groups: RolloutGroup[] = [];
  let taken = 0;
  for (const [index, size] of sizes.entries()) {
    const key = index === 0 ? rows[0]!.key : `bench-${index}`;
    const own = routers.slice(taken, (taken += size));
    if (index > 0) await owner.query(insertGroup, [key]);
    await owner.query('update devices set group_key = $1 where router_id = any ($2)', [key, own.map(({ id }) => id)]);
    groups.push({ key, routers: own });
  }
  return groups;
}

const insertGroup = `insert into groups (organization_id, key, name, description)
  select organization_id, $1, $1, '' from groups limit 1`;

async function findMainPerson({ owner }: BenchDatabase): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(`select id from accounts where organization_id is null limit 1`);
  return rows[0]!.id;
}

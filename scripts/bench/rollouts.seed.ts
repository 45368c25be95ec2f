import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configs, firmware } from '@highline/contract';
import { ask, formOf } from '@highline/testkit/calls';
import { createSigner, imageOf } from '@highline/testkit/images';
import { startChild, type Child } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import type { RolloutFleetAnswers } from './rollouts.fleet.ts';
import { allReconciled } from './routers.ts';
import { description, seedRouters, type ClaimedRouter } from './routers.seed.ts';

/** As in `description`. */
const MODEL = 'HL-R520 5G';
/** Ramp-up interval per router. */
const RAMP_MS_EACH = 2;

/** A server with an organization whose routers are in groups, all of them connected and reconciled. */
export interface RolloutFixture {
  readonly database: BenchDatabase;
  readonly server: Highline;
  readonly fleet: Child<RolloutFleetAnswers>;
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

/** @param sizes routers of each group */
export async function openRolloutFixture(cluster: Cluster, name: string, sizes: readonly number[]): Promise<RolloutFixture> {
  const count = sizes.reduce((sum, size) => sum + size, 0);
  const signer = createSigner();
  const publicKey = signer.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const keyFile = join(cluster.folder, `${name}.pem`);
  writeFileSync(keyFile, publicKey);
  const database = await cluster.open(name);
  const { routers, person } = await seedRouters(database, count);
  const groups = await seedGroups(database, routers, sizes);
  const mainBearer = await database.seeding.bearer(await findMainPerson(database));
  const server = await startHighline(cluster, database, { FIRMWARE_PUBLIC_KEYS: keyFile });
  const fleet = await startChild<RolloutFleetAnswers>('rollouts.fleet.ts');
  const address = server.url.replace('http', 'ws');
  await fleet.ask('start', address, routers.map(description), count * RAMP_MS_EACH, [publicKey]);
  await allReconciled(server, count);
  let files = 0;
  return {
    database,
    server,
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
      await server.stop();
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

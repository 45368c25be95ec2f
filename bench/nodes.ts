import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startNatsServer, startS3Server } from '@highline/testkit/services';
import type { Cluster } from './cluster.ts';
import { middle } from './measure.ts';
import { options } from './options.ts';
import { CONFIG_BYTES, hasAll, measureConfigCeiling, outcomeOf } from './rollouts.ts';
import { runRollout, type RolloutRun } from './rollouts.run.ts';
import { openRolloutFixture } from './rollouts.seed.ts';
import { amountOf, assessed, printTable, whole, type Figure } from './table.ts';

const ROUTERS = 400;
const NODES = 3;
/** Times that both sides are measured, in turn; once where many routers take minutes to connect. */
const ROUNDS = 3;
const MANY = 2_000;
const MOST = 1.3;

/** What every node of a measurement shares. */
interface Services {
  readonly natsUrl: string;
  readonly bucketUrl: string;
}

/**
 * The same rollout on one node and on three of the same machine. Both have NATS, an S3 store and the same settings of PostgreSQL; routers
 * are spread evenly and connect to their node directly.
 */
export async function benchNodes(cluster: Cluster): Promise<void> {
  const count = options.routers ?? ROUTERS;
  const [nats, s3] = await Promise.all([startNatsServer(), startS3Server()]);
  const one: RolloutRun[] = [];
  const three: RolloutRun[] = [];
  try {
    for (let round = 1; round <= (count < MANY ? ROUNDS : 1); round++) {
      const services = { natsUrl: nats.url(), bucketUrl: await s3.bucketUrl(`round-${round}`) };
      one.push(await runOn(cluster, services, 1, count, round));
      three.push(await runOn(cluster, services, NODES, count, round));
    }
  } finally {
    await Promise.all([nats.close(), s3.close()]);
  }
  print(one, three, count, (await measureConfigCeiling(count)).ms);
}

async function runOn(
  cluster: Cluster,
  { natsUrl, bucketUrl }: Services,
  nodes: number,
  count: number,
  round: number,
): Promise<RolloutRun> {
  const name = `bench_nodes_${nodes}_${round}`;
  const masterKey = randomBytes(32).toString('hex');
  const settings = Array.from({ length: nodes }, (_, index) => ({
    HIGHLINE_DATA_DIR: join(cluster.folder, `${name}-${index + 1}`),
    HIGHLINE_MASTER_KEY: masterKey,
    NATS_URL: natsUrl,
    // A path of its own: the other side has another master key.
    BLOBS_URL: `${bucketUrl}/${nodes}`,
  }));
  const fixture = await openRolloutFixture(cluster, name, [count], settings);
  try {
    const file = await fixture.config(CONFIG_BYTES);
    return await runRollout(fixture, cluster, { kind: 'config', group: fixture.groups[0]!, file });
  } finally {
    await fixture.close();
  }
}

function print(one: readonly RolloutRun[], three: readonly RolloutRun[], count: number, bareMs: number): void {
  const compare = (name: string, of: (run: RolloutRun) => number, aim?: string): Figure => {
    const [ours, raw] = [middle(three.map(of)), middle(one.map(of))];
    return {
      name,
      unit: 's',
      ours: [ours],
      raw: [raw],
      aim: aim === undefined ? 'recorded' : assessed(aim, ours / raw <= MOST && isComplete),
    };
  };
  const isComplete = [...one, ...three].every((run) => hasAll(run, count));
  printTable(
    `Config file of 8 KB to ${whole(count)} routers, three nodes (ours) and one (ceiling)`,
    [
      compare("Save → last 'Successful'", ({ ms }) => ms / 1000, '≤ 1.3×, all successful'),
      compare('  processor of all of it', ({ cpu }) => cpu.server + cpu.database + cpu.generator),
      compare('  of the servers', ({ cpu }) => cpu.server),
      compare('  of PostgreSQL', ({ cpu }) => cpu.database),
      compare('  of the simulated routers', ({ cpu }) => cpu.generator),
    ],
    [
      `Medians of ${one.length} in turn. The same bytes to as many bare sockets: ${amountOf([bareMs / 1000], 's')}.`,
      ...[one, three].map(
        (runs, at) => `${at === 0 ? 'one node' : 'three nodes'}: ${runs.map((run) => oneLine(run, count)).join(' | ')}`,
      ),
      `load when it ended: ${loadavg()[0]!.toFixed(1)}`,
    ],
  );
}

function oneLine(run: RolloutRun, count: number): string {
  return `${amountOf([run.ms / 1000], 's')}, ${outcomeOf(run, count)}`;
}

import type { Cluster } from './cluster.ts';
import { killPace, killReports } from './kill.reports.ts';
import { killInTurn, MISSING_AFTER_MS, printKept, waitUntil, type Kept } from './kill.ts';
import { options } from './options.ts';
import { CONFIG_BYTES } from './rollouts.ts';
import { bindFile } from './rollouts.run.ts';
import { openRolloutFixture } from './rollouts.seed.ts';

const TARGETS = options.routers ?? (options.short ? 20 : 300);

type Kinds = Readonly<Record<string, (cluster: Cluster) => Promise<readonly Kept[]>>>;

const kinds: Kinds = {
  alerts: (cluster) => killReports(cluster, 'alerts', ['readings'], true),
  pace: killPace,
  positions: (cluster) => killReports(cluster, 'positions', ['positions']),
  rollouts: killRollout,
  telemetry: (cluster) => killReports(cluster, 'telemetry', ['readings']),
  usage: (cluster) => killReports(cluster, 'usage', ['counters of data used']),
};

/** The sections whose acknowledged work can be counted, while server and PostgreSQL are killed (`--kill`), with those of a feature. */
export function killedSections(more: Kinds): Readonly<Record<string, (cluster: Cluster) => Promise<void>>> {
  return Object.fromEntries(
    Object.entries({ ...kinds, ...more }).map(([section, run]) => [
      section,
      async (cluster: Cluster) => printKept(section, await run(cluster)),
    ]),
  );
}

/** A config file to a group: each router of an acknowledged bind gets it, once. */
async function killRollout(cluster: Cluster): Promise<Kept[]> {
  const fixture = await openRolloutFixture(cluster, 'kill_rollouts', [TARGETS]);
  const { database, fleet } = fixture;
  await bindFile(fixture, 'config', fixture.groups[0]!.key, await fixture.config(CONFIG_BYTES));
  const counted = (state: string) => async () => {
    const { rows } = await database.owner.query<{ n: number }>(`select count(*)::int as n from rollout_targets where ${state}`);
    return rows[0]!.n;
  };
  const [successful, open] = [
    counted("state = 'successful'"),
    counted("state not in ('successful', 'failed', 'rolled-back', 'unsupported')"),
  ];
  const last = await killInTurn(cluster, {
    database,
    server: fixture.server,
    count: successful,
    step: Math.floor(TARGETS / 6),
  });
  await waitUntil(async () => (await open()) === 0, MISSING_AFTER_MS);
  const found = await successful();
  await fleet.stop();
  await last.stop();
  await database.close();
  return [{ what: 'routers of a bound config file that have it', acknowledged: TARGETS, found }];
}

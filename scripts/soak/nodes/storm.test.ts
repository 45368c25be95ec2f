import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '@highline/testkit/server';
import { faultNames } from './checks.ts';
import { startStormCluster, type StormCluster } from './cluster.ts';
import type { DisturbanceName } from './disturbances.ts';
import { runRound } from './round.ts';
import { isAllRight, prepareStorm, type Storm } from './storm.ts';

// Two short rounds of what `npm run soak -- nodes` does many times.

const ROUTERS = 8;
const AWAY_MS = 1_000;
/** A bound for what hangs: servers start eight times here, and a machine may be many times slower than ours. */
const TIMEOUT_MS = 900_000;
const none = Object.fromEntries(faultNames.map((name) => [name, 0]));

let cluster: StormCluster;
let storm: Storm;

beforeAll(async () => {
  cluster = await startStormCluster(2, undefined);
  storm = await prepareStorm(cluster, ROUTERS);
  await until(() => isAllRight(storm));
}, TIMEOUT_MS);
afterAll(async () => {
  await storm?.watch.stop();
  await storm?.fleet.stop();
  await cluster?.close();
});

/** Of a round with users, open consoles, a rollout, an import, mails, remote sessions and commands. */
async function faultsAfter(kinds: readonly DisturbanceName[], index: number) {
  const { faults, worst, note, acknowledged, mails } = await runRound(storm, kinds, index, AWAY_MS);
  expect(worst).toBeLessThanOrEqual(60);
  expect(Math.min(acknowledged, mails)).toBeGreaterThan(0);
  return { faults, note };
}

const versions = async () =>
  (await cluster.sql.query<{ version: string }>('select version from nodes where ended_at is null order by name')).rows.map(
    ({ version }) => version,
  );

test(
  'NOD-02 a node killed under load, a NATS restart, a failover of PostgreSQL and a network cut between nodes: routers on others within 60 s, consoles without a gap, no acknowledged write lost, no step, job, mail or command doubled',
  async () => {
    expect(await faultsAfter(['kill', 'nats', 'cut-nats', 'failover'], 0)).toEqual({ faults: none, note: '' });
  },
  TIMEOUT_MS,
);

test(
  'NOD-03 a rolling upgrade from the version before and back again: nodes of both versions side by side, under load, with the agents of the former one',
  async () => {
    const [former] = new Set(await versions());
    expect(await faultsAfter(['upgrade', 'downgrade'], 1)).toEqual({ faults: none, note: '' });
    expect(await versions()).toEqual([former, former]);
    const { rows } = await cluster.sql.query<{ version: string }>('select distinct version from nodes order by 1');
    // Only a checkout says its commit.
    expect(rows).toEqual([{ version: former }, { version: `${former!.split('+', 1)[0]}-next` }]);
  },
  TIMEOUT_MS,
);

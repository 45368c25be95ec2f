import { setTimeout as pause } from 'node:timers/promises';
import { rollouts, routerSettings } from '@highline/contract';
import { ask } from '@highline/testkit/calls';
import { startHighline, type Cluster, type Highline } from './cluster.ts';
import { cpuOf, cpuOfFamily } from './measure.ts';
import { options } from './options.ts';
import { untilEnded } from './rollouts.run.ts';
import { openRolloutFixture, type RolloutFixture, type RolloutGroup } from './rollouts.seed.ts';
import { benchComparison } from './settings.compare.ts';
import { benchDrawing } from './settings.drawing.ts';
import { valuesOf } from './settings.values.ts';
import { assessed, printTable, whole, type Figure } from './table.ts';

const MANY = 10_000;
const SHORT = 40;
/** The server is killed when so much of the routers is done. */
const KILL_SHARE = 0.1;
const LOOK_MS = 20;
const MOST = { sendMs: 120_000, stored: 2_000 };

/** Settings that go to a whole group, over a kill of the server; and the comparison of a night (issue 33). */
export async function benchSettings(cluster: Cluster): Promise<void> {
  const has = (part: string) => options.part === undefined || options.part === part;
  if (has('compare')) benchComparison();
  if (has('draw')) await benchDrawing(cluster);
  if (has('send')) await benchSending(cluster, options.routers ?? (options.short ? SHORT : MANY));
}

async function benchSending(cluster: Cluster, count: number): Promise<void> {
  const fixture = await openRolloutFixture(cluster, 'bench_settings', [count]);
  const quiet = await send(cluster, fixture, fixture.server, 'first');
  const { rows } = await fixture.database.owner.query<{ bytes: number; raw: number }>(
    `select avg(pg_column_size(t.*))::float8 as bytes, avg(length(t.content::text))::float8 as raw from router_settings_states t`,
  );
  const killed = await send(cluster, fixture, fixture.server, 'second', true);
  await fixture.fleet.stop();
  await killed.server.stop();
  await fixture.database.close();
  const aim = (run: Sent) => assessed('≤ 120 s, all successful', run.ms <= MOST.sendMs && run.outcome === '');
  const { bytes, raw } = rows[0]!;
  printTable(
    `${quiet.parameters} settings to ${whole(count)} routers, one node`,
    [
      ...figuresOf("Send → last 'Successful'", quiet, count, aim(quiet)),
      ...figuresOf('again, with kill -9 of the server in the middle', killed, count, aim(killed)),
      { name: 'stored for each device', unit: 'kB', ours: [bytes / 1e3], aim: assessed('≤ 2 kB', bytes <= MOST.stored) },
      { name: '  as text, not compressed', unit: 'kB', ours: [raw / 1e3] },
    ],
    [quiet.outcome, killed.outcome].filter((each) => each !== ''),
  );
}

interface Sent {
  readonly parameters: number;
  readonly ms: number;
  /** Empty: all are successful. */
  readonly outcome: string;
  readonly cpu: { readonly server: number; readonly database: number; readonly fleet: number };
  readonly server: Highline;
}

async function send(cluster: Cluster, fixture: RolloutFixture, server: Highline, mark: string, kills = false): Promise<Sent> {
  const { bearer, fleet, database, groups } = fixture;
  const group = groups[0]!;
  const values = valuesOf(mark);
  const body = { group: group.key, values: Object.entries(values).map(([path, value]) => ({ path, value })) };
  const { version } = await ask<routerSettings.LevelSettings>(server.url + routerSettings.saveSettings.path, {
    method: 'PUT',
    bearer,
    body,
  });
  const used = () => ({ database: cpuOfFamily(cluster.pid()), fleet: cpuOf(fleet.pid) });
  const [before, ofServer] = [used(), cpuOf(server.pid)];
  const begun = Date.now();
  await ask<rollouts.Rollout>(server.url + rollouts.rollOutSettings.path, { bearer, body: { group: group.key, version } });
  let spent = 0;
  let last = server;
  if (kills) {
    await untilUnderWay(fixture, group);
    spent = cpuOf(server.pid) - ofServer;
    process.kill(server.pid, 'SIGKILL');
    const { port, origin } = new URL(server.url);
    last = await startHighline(cluster, database, { PORT: port, PUBLIC_URL: origin });
  }
  const ends = await untilEnded(fixture, 'settings', group);
  const after = used();
  const others = ends.filter(({ state }) => state !== 'successful');
  return {
    parameters: body.values.length,
    ms: Math.max(...ends.map((end) => end.last.getTime())) - begun,
    outcome: others.map(({ count, state, reason }) => `${count} ${state} (${reason ?? 'no reason'})`).join(', '),
    cpu: {
      server: spent + cpuOf(last.pid) - (kills ? 0 : ofServer),
      database: after.database - before.database,
      fleet: after.fleet - before.fleet,
    },
    server: last,
  };
}

async function untilUnderWay({ database }: RolloutFixture, { routers }: RolloutGroup): Promise<void> {
  const countDone = "select count(*)::int as count from rollout_targets where state = 'successful'";
  for (;;) {
    const { rows } = await database.owner.query<{ count: number }>(countDone);
    if (rows[0]!.count >= routers.length * KILL_SHARE) return;
    await pause(LOOK_MS);
  }
}

function figuresOf(name: string, { ms, cpu }: Sent, count: number, aim: string): Figure[] {
  const all = [cpu.server, cpu.database, cpu.fleet];
  return [
    { name, unit: 's', ours: [ms / 1_000], aim },
    { name: '  processor: server, PostgreSQL, simulated routers', unit: 's', ours: all },
    { name: '  the same for each router', unit: 'ms', ours: all.map((seconds) => (seconds * 1_000) / count) },
  ];
}

import { setTimeout as pause } from 'node:timers/promises';
import { formOf, send } from '@highline/testkit/calls';
import { until } from '@highline/testkit/server';
import { type CheckInput, explainFaults, faultNames, type Faults, findFaults, passing } from './checks.ts';
import type { StormCluster } from './cluster.ts';
import { disturbances, type DisturbanceName } from './disturbances.ts';
import { explainRouters, isAllRight, type Storm } from './storm.ts';
import { startWork, type Work, type WorkInput } from './work.ts';

const TIMEOUT_MS = 120_000;
const PASSING_MS = 90_000;
const LOOK_MS = 250;
const CANCEL_MS = 10_000;
/** Above the size of files that need no place among the downloads, and below it. */
const CONFIG_BYTES = [100 * 1024, 8 * 1024] as const;

export interface RoundResult {
  readonly kinds: readonly DisturbanceName[];
  readonly seconds: number;
  readonly acknowledged: number;
  readonly failed: number;
  readonly sessions: number;
  /** Sessions whose opening or end was not acknowledged, and which their user had to cancel afterwards. */
  readonly cancelled: number;
  readonly commands: number;
  readonly mails: number;
  readonly worst: number;
  readonly faults: Faults;
  readonly note: string;
}

/** One round: users work, a rollout begins, something is lost and comes back, and what is wrong afterwards is counted. */
export async function runRound(
  storm: Storm,
  kinds: readonly DisturbanceName[],
  index: number,
  durationMs: number,
): Promise<RoundResult> {
  const { cluster, fleet, watch, input, group } = storm;
  const begin = performance.now();
  const since = new Date();
  watch.worst();
  const blinksBefore = new Map([...(await fleet.records())].map(([serial, { blinks }]) => [serial, blinks]));
  // Rounds invite more people than an account may in a day, which is not what is tried.
  await cluster.sql.query('delete from rate_windows');
  const work = await startWork(input);
  const file = `storm-${index}.cfg`;
  await bindConfig(input, group, file, CONFIG_BYTES[index % 2]!).catch(async (error: unknown) => {
    // What goes on working would be counted in the next round.
    await work.stop();
    throw error;
  });
  await until(async () => (await targetsOf(cluster, group)).done > 0, TIMEOUT_MS);
  let note = '';
  const recovered = () =>
    until(() => isAllRightNow(storm), TIMEOUT_MS).catch(async () => {
      note += 'routers wrong ';
      console.error(await explainRouters(storm));
    });
  for (const kind of kinds) await disturbances[kind]({ cluster, index, recovered, durationMs });
  await recovered();
  await until(async () => (await targetsOf(cluster, group)).open === 0, TIMEOUT_MS).catch(() => (note += 'rollout unfinished '));
  await work.stop();
  const { faults, cancelled } = await lastingFaults(storm, work, { file, since, blinksBefore });
  work.closeConsoles();
  const seconds = (performance.now() - begin) / 1_000;
  const { others } = await targetsOf(cluster, group);
  if (others !== '') note += others;
  const commands = [...work.commands.values()].reduce((all, { done }) => all + done, 0);
  const mails = [...work.invited.values()].filter((isAcknowledged) => isAcknowledged).length;
  return { kinds, seconds, ...work.counts, commands, mails, worst: watch.worst(), faults, cancelled, note };
}

/** Asking every router costs time that a busy machine lacks. */
async function isAllRightNow(storm: Storm): Promise<boolean> {
  const isRight = await isAllRight(storm);
  if (!isRight) await pause(LOOK_MS);
  return isRight;
}

/** Waits for what ends by itself. */
async function lastingFaults(
  { cluster, fleet, input }: Storm,
  work: Work,
  round: Pick<CheckInput, 'file' | 'since' | 'blinksBefore'>,
): Promise<Pick<RoundResult, 'faults' | 'cancelled'>> {
  const { spare, spareGroup } = input;
  const end = performance.now() + PASSING_MS;
  const cancelled = new Set<string>();
  for (;;) {
    for (const id of await cancelSessions(cluster, input)) cancelled.add(id);
    const checked = { ...round, cluster, work, records: await fleet.records(), spare, spareGroup };
    const faults = await findFaults(checked);
    const isPassing = faultNames.some((name) => passing.has(name) && faults[name] > 0);
    if (isPassing && performance.now() < end) {
      await pause(500);
      continue;
    }
    if (faultNames.some((name) => faults[name] > 0)) console.error(await explainFaults(checked));
    return { faults, cancelled: cancelled.size };
  }
}

/** A session whose opening or cancellation was not acknowledged may be open: its user cancels it. */
async function cancelSessions({ sql }: StormCluster, { url, admin }: WorkInput): Promise<string[]> {
  const { rows } = await sql.query<{ id: string; device: string }>(
    'select id, device_id as device from remote_sessions where ended_at is null',
  );
  for (const { device } of rows) {
    const signal = AbortSignal.timeout(CANCEL_MS);
    const response = await send(`${url}/data_manager/v1/dm/device/arctive`, { bearer: admin, body: { device }, signal }).catch(
      String,
    );
    if (typeof response === 'string' || response.status !== 200)
      console.error(`A session was not cancelled: ${typeof response === 'string' ? response : response.text}`);
  }
  return rows.map(({ id }) => id);
}

async function bindConfig({ url, admin }: WorkInput, group: string, name: string, bytes: number): Promise<void> {
  const contents = `# ${'x'.repeat(bytes)}`.slice(0, bytes);
  const path = `${url}/data_manager/v1`;
  const upload = () =>
    send(`${path}/dm/config`, { bearer: admin, body: formOf({}, { field: 'config', name, contents: `${name}\n${contents}` }) });
  let uploaded = await upload();
  // The round before may have left a node that is not ready yet.
  await until(async () => uploaded.status < 500 || (uploaded = await upload()).status < 500, TIMEOUT_MS);
  if (uploaded.status !== 200) throw new Error(`The config file was not uploaded: ${uploaded.text}`);
  const config = uploaded.json<{ result: { pk: string } }>().result.pk;
  const bound = await send(`${path}/binding/group/config`, { bearer: admin, body: { group, config, schedule: 'immediate' } });
  if (bound.status !== 200) throw new Error(`The config file was not bound: ${bound.text}`);
}

/** Routers of the rollout: those that ended well, those that did not end, and how the others ended. */
async function targetsOf({ sql }: StormCluster, group: string): Promise<{ done: number; open: number; others: string }> {
  const { rows } = await sql.query<{ state: string; reason: string | null; count: number }>(
    `select t.state, t.reason, count(*)::int as count from rollout_targets t join bindings b on b.id = t.binding_id
      where b.group_key = $1 and b.ended_at is null group by 1, 2`,
    [group],
  );
  const sum = (states: readonly string[]) =>
    rows.filter(({ state }) => states.includes(state)).reduce((all, { count }) => all + count, 0);
  const ended = ['successful', 'failed', 'rolled-back', 'unsupported'];
  const others = rows
    .filter(({ state }) => state !== 'successful')
    .map(({ state, reason, count }) => `${count} ${state} (${reason}) `);
  return {
    done: sum(['successful']),
    open: rows.reduce((all, { count }) => all + count, 0) - sum(ended),
    others: others.join(''),
  };
}

import { networks } from '@highline/contract';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { isUnreachable, type DeviceLink } from '../../../platform/ports/index.ts';
import { zoneAt } from '../../usage/index.ts';
import { counterPaths, readClientCounters, type ClientCounter } from './client-counters.ts';
import { countUse } from './count-use.ts';
import { closeLeftCounters } from './days.job.queries.ts';
import { countHeldRouters, listHeldRouters, lockCountedRouters, writeCountedReadings } from './use.job.queries.ts';

export interface ClientUseDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly node: Pick<ServerNode, 'id'>;
  readonly deviceLink: Pick<DeviceLink, 'readValues'>;
  /** Milliseconds between two readings of a router; for tests. */
  readonly everyMs?: number;
}

/** Counters only grow: rarer readings lose what a client used after the last one before its router starts again. */
const EVERY_MS = 15 * 60_000;
const TICK_MS = 5_000;
/** Routers that are read at the same time. */
const AT_ONCE = 20;
const TIMEOUT_MS = 20_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const HOST_COUNT = 'Device.Hosts.HostNumberOfEntries';
/** More hosts than fit into one answer with all their columns. */
const MANY_HOSTS = 400;

/** Counters that a router reported at a time. */
export interface CounterReading {
  readonly routerId: string;
  readonly counters: readonly ClientCounter[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Reads the counters of clients of the routers that this process holds, where their organizations keep what clients use: a few each time, so that
 * all of them have a turn within the interval.
 */
export function createClientUseJob(deps: ClientUseDeps): Job {
  const { database, node, everyMs = EVERY_MS } = deps;
  let round = { beganAt: Number.NEGATIVE_INFINITY, after: NO_ID, perTick: 0 };
  /** Hosts that each router had at its last reading. */
  const hosts = new Map<string, number>();

  return {
    name: 'use of clients',
    everyMs: Math.min(TICK_MS, everyMs),
    async run(now) {
      if (round.perTick === 0) {
        if (now.getTime() - round.beganAt < everyMs) return;
        const held = await countHeldRouters(database.read, node.id);
        if (hosts.size > 2 * held) hosts.clear();
        round = { beganAt: now.getTime(), after: NO_ID, perTick: Math.ceil((held * TICK_MS) / everyMs) };
        if (held === 0) return;
      }
      const routers = await listHeldRouters(database.read, node.id, round.after, round.perTick);
      const isLast = routers.length < round.perTick;
      round = { ...round, after: routers.at(-1)?.id ?? NO_ID, perTick: isLast ? 0 : round.perTick };
      const waiting = routers.flatMap(({ id, isCounted }) => (isCounted ? [id] : []));
      const readings: CounterReading[] = [];
      const work = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          // oxlint-disable-next-line no-await-in-loop -- so many at once
          const reading = await readCounters(deps, hosts, id);
          if (reading !== undefined) readings.push(reading);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await storeCounters(deps, readings);
    },
  };
}

/** @returns undefined when the router does not answer, or has too many hosts */
async function readCounters(
  { deviceLink, clock, log }: ClientUseDeps,
  hosts: Map<string, number>,
  routerId: string,
): Promise<CounterReading | undefined> {
  try {
    const last = hosts.get(routerId);
    const read = (paths: readonly string[]) => deviceLink.readValues(routerId, paths, TIMEOUT_MS);
    const count = last === undefined || last > MANY_HOSTS ? Number((await read([HOST_COUNT])).get(HOST_COUNT) ?? '0') : last;
    if (!(count <= networks.MOST_READ_CLIENTS)) return undefined;
    const values: [string, string][] = [];
    // oxlint-disable-next-line no-await-in-loop -- one after another: each answer is long
    for (const paths of count > MANY_HOSTS ? counterPaths.map((path) => [path]) : [counterPaths])
      values.push(...(await read(paths)));
    const counters = readClientCounters(values);
    hosts.set(routerId, Math.max(count > MANY_HOSTS ? count : 0, counters.length));
    return { routerId, counters, at: clock.now().getTime() };
  } catch (error) {
    if (!isUnreachable(error)) log.error({ err: error, routerId }, 'Failed to read the counters of clients.');
    return undefined;
  }
}

/** Add readings to what is known, in one transaction; those of organizations that keep nothing of it are left out. */
export async function storeCounters({ database }: Pick<Deps, 'database'>, readings: readonly CounterReading[]): Promise<void> {
  if (readings.length === 0) return;
  const byRouter = new Map(readings.map((reading) => [reading.routerId, reading]));
  await database.write(async (tx) => {
    await closeLeftCounters(tx, [...byRouter.keys()]);
    const routers = await lockCountedRouters(tx, [...byRouter.keys()]);
    const zoneOf = await zoneAt(
      tx,
      routers.map(({ organizationId }) => organizationId),
    );
    const counted = routers.map(({ state: before, ...owner }) => {
      const { counters, at } = byRouter.get(owner.routerId)!;
      return { ...owner, ...countUse(before, counters, at, zoneOf(owner.organizationId, at)) };
    });
    if (counted.length > 0) await writeCountedReadings(tx, counted);
  });
}

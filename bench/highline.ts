// A separate process: the whole server as `npm run serve` composes it, with access to internals for benchmarks.
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { pino } from 'pino';
import { openDatabase, systemClock } from '@highline/testkit/database';
import { composeServer, openBus, openInstallation, readSettings } from '@highline/testkit/composed-server';
import { runQuestions } from './child.ts';
import { stableMemory } from './memory.ts';
import { profileShares } from './profile.ts';

const settings = readSettings('demo', process.env);
const log = pino({ level: settings.logLevel });
const opened = await openDatabase(settings.database, log);
const installation = await openInstallation({ database: opened, settings, clock: systemClock, log });
const bus = await openBus(settings, installation.masterKeys, log);
const server = await composeServer({ settings, installation, opened, bus, log, clock: systemClock });
await server.listen();

const HEARTBEAT_MS = 45_000;
let beating: NodeJS.Timeout | undefined;
/** What held up the event loop, milliseconds: the longest time at all, and the most processor time of the thread at once. The rest is waiting for a core. */
let held = { stop: 0, processor: 0 };
const LOOK_EVERY_MS = 10;
const processorTime = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let looked = { at: performance.now(), processor: processorTime() };
setInterval(() => {
  const now = { at: performance.now(), processor: processorTime() };
  const [stop, processor] = [now.at - looked.at - LOOK_EVERY_MS, now.processor - looked.processor];
  held = { stop: Math.max(held.stop, stop), processor: Math.max(held.processor, processor) };
  looked = now;
}, LOOK_EVERY_MS).unref();
/** The longest time that a collection of garbage held up the event loop at once, by its kind, milliseconds. */
let collections: Record<string, number> = {};
interface Collection {
  /** Milliseconds. */
  readonly duration: number;
  readonly detail: { readonly kind: number };
}
const kindsOfCollection = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'young'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'all'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'in steps'],
]);
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { duration, detail } = entry.toJSON() as Collection;
    const kind = kindsOfCollection.get(detail.kind) ?? 'other';
    collections[kind] = Math.max(collections[kind] ?? 0, duration);
  }
}).observe({ entryTypes: ['gc'] });

const responses = {
  memory: stableMemory,
  /** Share of the busy time of this process by what it did. */
  profile: profileShares,
  /** What held up the event loop since the last request for it, and the longest of each kind of collection. */
  longestStop() {
    const longest = { ...held, collections };
    [held, collections] = [{ stop: 0, processor: 0 }, {}];
    return longest;
  },
  /** Counters of the gateway. */
  stats: () => server.gateway.stats(),
  /** Mark these routers as connected, and send a heartbeat every 45 s as the gateway does. Resolves when all are online. */
  async heartbeats(routerIds: readonly string[]): Promise<void> {
    for (const id of routerIds) server.presence.connected(id, 1);
    await server.presence.flush();
    beating = setInterval(() => {
      const now = systemClock.now();
      for (const id of routerIds) server.presence.recordContact(id, now, -70);
    }, HEARTBEAT_MS);
  },
  /** Write the last contacts now, as the server does every few minutes. */
  flushContacts: () => server.presence.flush(),
  /** Read a value from each router, one after another: milliseconds each. */
  async commands(routerIds: readonly string[], path: string): Promise<number[]> {
    const samples: number[] = [];
    for (const routerId of routerIds) {
      const begin = performance.now();
      await server.gateway.deviceLink.readValues(routerId, [path], 10_000);
      samples.push(performance.now() - begin);
    }
    return samples;
  },
};
export type HighlineResponses = typeof responses;

runQuestions(responses, async () => {
  clearInterval(beating);
  await server.close();
  await bus.close();
  installation.close();
  await opened.close();
});

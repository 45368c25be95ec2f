import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startJobs } from '../jobs/runner.ts';
import { systemClock } from '../ports/clock.ts';
import { until } from '../../testing/process.ts';
import { openRouterDatabase, type RouterDatabase } from '../../testing/routers.ts';
import { createLogBook, silentLog } from '../../testing/log.ts';
import { createNode, purgeNodes, readNodeName, type ServerNode } from './index.ts';

const LEASE_MS = 15_000;

let fleet: RouterDatabase;
/** Milliseconds of this machine. */
let time: number;

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());
beforeEach(async () => {
  time = 1_000_000;
  await fleet.pool.query('delete from nodes');
});

/** How often a node announced a change. */
const changes = new Map<ServerNode, number>();

async function started(name: string, log = silentLog): Promise<ServerNode> {
  const { database } = fleet;
  const shared = { bus: true, files: true };
  const timeouts = { leaseMs: LEASE_MS };
  const node = createNode({
    database,
    log,
    name,
    host: `machine of ${name}`,
    version: '1',
    shared,
    timeouts,
    monotonic: () => time,
  });
  changes.set(node, 0);
  node.onChange(() => changes.set(node, changes.get(node)! + 1));
  await node.start();
  return node;
}

const renew = (node: ServerNode) => node.lease.run(new Date());

/** Renew often enough, for longer than a lease. */
async function renewSteadily(node: ServerNode): Promise<void> {
  for (let passed = 0; passed <= LEASE_MS; passed += 5_000) {
    await renew(node);
    time += 5_000;
  }
}

const lapse = (node: ServerNode) =>
  fleet.pool.query("update nodes set lease_until = now() - interval '1 second' where id = $1", [node.id]);

async function active(): Promise<string[]> {
  const { rows } = await fleet.pool.query<{ name: string }>('select name from nodes where ended_at is null order by name');
  return rows.map(({ name }) => name);
}

test('NOD-02-partial a node ends another one whose lease has lapsed, and says so', async () => {
  const [a, b] = [await started('a'), await started('b')];
  await renewSteadily(b);
  const before = changes.get(b)!;
  expect(await active()).toEqual(['a', 'b']);
  await lapse(a);
  await renew(b);
  expect(await active()).toEqual(['b']);
  expect(changes.get(b)!).toBe(before + 1);
});

test('NOD-02-partial a node that was ended gets a new identity; one that only lapsed keeps its own', async () => {
  const [a, b] = [await started('a'), await started('b')];
  const { id } = a;
  await lapse(a);
  await renew(a);
  expect(a.id).toBe(id);
  await renewSteadily(b);
  await lapse(a);
  await renew(b);
  const before = changes.get(a)!;
  await renew(a);
  expect(a.id).not.toBe(id);
  expect(changes.get(a)!).toBe(before + 1);
  expect(await active()).toEqual(['a', 'b']);
});

test('a node says which other one came, stopped and was lost, and that it was ended itself', async () => {
  const book = createLogBook();
  const watcher = await started('watcher', book.log);
  await renewSteadily(watcher);
  const stopping = await started('stopping');
  const frozenBook = createLogBook();
  const frozen = await started('frozen', frozenBook.log);
  await renew(watcher);
  await stopping.stop();
  await lapse(frozen);
  await renew(watcher);
  await renew(watcher);
  await renew(frozen);
  expect(book.sentences).toEqual([
    'Another process is at this database.',
    'Another process is at this database.',
    'Another process has stopped, or was started again.',
    'Another process is lost: it has not renewed its lease. Its routers may connect elsewhere.',
  ]);
  expect(frozenBook.sentences).toContain(
    'Other processes ended this one, since it had not renewed its lease: it was frozen, or had no database. It goes on as a new one.',
  );
});

test('after an outage of the database no node ends another before all had a whole lease to renew theirs', async () => {
  const [a, b] = [await started('a'), await started('b')];
  await renewSteadily(b);
  time += 60_000;
  await lapse(a);
  await lapse(b);
  await renew(b);
  await renew(a);
  expect(await active()).toEqual(['a', 'b']);
  await renewSteadily(b);
  await lapse(a);
  await renew(b);
  expect(await active()).toEqual(['b']);
});

test('a start ends the earlier run of the same process alone, and the others notice it', async () => {
  const [other] = [await started('other'), await started('same')];
  await renew(other);
  const before = changes.get(other)!;
  await started('same');
  expect(await active()).toEqual(['other', 'same']);
  await renew(other);
  expect(changes.get(other)!).toBe(before + 1);
});

describe('NOD-02-partial a clock that is wrong', () => {
  const parts = { name: 'a', host: 'machine', version: '1', shared: { bus: true, files: true } };
  const DAYS_MS = 40 * 86_400_000;

  test.each([DAYS_MS, -DAYS_MS])('by %i ms ends a start with both times, and registers nothing', async (ahead) => {
    const node = createNode({ ...parts, database: fleet.database, log: silentLog, systemNow: () => Date.now() + ahead });
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    await expect(node.start()).rejects.toThrow(
      new RegExp(
        `^The clock of this machine shows ${day(Date.now() + ahead)}T.+Z, and that of PostgreSQL ${day(Date.now())}T.+Z\\.`,
        'u',
      ),
    );
    expect(await active()).toEqual([]);
  });

  test('later is logged once, and jobs that delete do not run until it is right', async () => {
    let ahead = 0;
    const { log, sentences } = createLogBook();
    const node = createNode({ ...parts, database: fleet.database, log, systemNow: () => Date.now() + ahead });
    await node.start();
    ahead = DAYS_MS;
    await renew(node);
    await renew(node);
    expect(sentences).toEqual([expect.stringContaining('more than a minute apart')]);
    expect(Math.round(node.stats().clockAheadMs / 86_400_000)).toBe(40);
    const runs: string[] = [];
    const job = (name: string, deletes: boolean) => ({ name, everyMs: 10, deletes, run: async () => runs.push(name) });
    const jobs = startJobs([job('retention', true), job('mail', false)], systemClock, log, () => node.hasRightClock());
    await until(() => runs.length > 3);
    expect(new Set(runs)).toEqual(new Set(['mail']));
    ahead = 0;
    await until(() => runs.includes('retention'));
    await jobs.stop();
    expect(sentences.slice(1)).toEqual(['The clocks of this machine and of PostgreSQL agree again.']);
  });
});

test('a stop ends the node at once; ended nodes are deleted after a week', async () => {
  const node = await started('a');
  await node.stop();
  expect(await active()).toEqual([]);
  await purgeNodes(fleet.database);
  const count = async () => (await fleet.pool.query('select 1 from nodes')).rows.length;
  expect(await count()).toBe(1);
  await fleet.pool.query("update nodes set ended_at = now() - interval '8 days'");
  await purgeNodes(fleet.database);
  expect(await count()).toBe(0);
});

describe('a second process', () => {
  const QUICK_MS = 400;
  const start = async (name: string, shared: { bus: boolean; files: boolean }): Promise<ServerNode> => {
    const { database } = fleet;
    const node = createNode({
      database,
      log: silentLog,
      name,
      host: `machine of ${name}`,
      version: '1',
      shared,
      timeouts: { leaseMs: QUICK_MS },
    });
    await node.start();
    return node;
  };
  const both = { bus: true, files: true };
  /** A process that renews its lease all the time. */
  const live = async (name: string, shared = both) => {
    const node = await start(name, shared);
    await fleet.pool.query("update nodes set lease_until = now() + interval '1 hour' where id = $1", [node.id]);
    return node;
  };

  test('NOD-01-partial without NATS or a bucket is rejected in plain sentences, and ends', async () => {
    await live('first');
    for (const [shared, missing] of [
      [{ bus: false, files: false }, 'NATS_URL and BLOBS_URL'],
      [{ bus: false, files: true }, 'NATS_URL'],
      [{ bus: true, files: false }, 'BLOBS_URL'],
    ] as const)
      await expect(start('second', shared)).rejects.toThrow(
        new RegExp(
          `^${missing}: missing while another process \\(machine of first, version 1, since .+Z\\) runs at this database\\. Set NATS_URL and`,
          'u',
        ),
      );
    expect(await active()).toEqual(['first']);
    await start('second', both);
    expect(await active()).toEqual(['first', 'second']);
  });

  test('NOD-01-partial is rejected while the first one runs without NATS, and accepted next to a version that knows none', async () => {
    await live('first', { bus: false, files: true });
    await expect(start('second', both)).rejects.toThrow(
      /^NATS_URL: another process .+ runs at this database without it\. Set it there/u,
    );
    await fleet.pool.query('update nodes set has_bus = null');
    await start('second', both);
    expect(await active()).toEqual(['first', 'second']);
  });

  test('NOD-01-partial is rejected on another machine of the same host name and with the same path, and is not on its own', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'highline-node-name-'));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    const dataDir = join(parent, 'data');
    mkdirSync(dataDir);
    const nameHere = () => readNodeName('fleet', dataDir);
    const alone = { bus: false, files: false };
    const first = await live(nameHere(), alone);
    // The folder of that path on the other machine.
    renameSync(dataDir, join(parent, 'of-the-first'));
    mkdirSync(dataDir);
    await expect(start(nameHere(), alone)).rejects.toThrow('NATS_URL and BLOBS_URL: missing while another process');
    rmSync(dataDir, { recursive: true });
    renameSync(join(parent, 'of-the-first'), dataDir);
    const again = await start(nameHere(), alone);
    expect([again.id === first.id, await active()]).toEqual([false, [nameHere()]]);
  });

  test('of two that start at the same time one is rejected', async () => {
    const alone = { bus: false, files: false };
    const results = await Promise.allSettled([live('a', alone), live('b', alone)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await active()).toHaveLength(1);
  });

  test('NOD-03-partial a restart is never rejected: of the same process, or while the former one is stopping or was killed', async () => {
    const alone = { bus: false, files: false };
    await live('same', alone);
    const again = await live('same', alone);
    expect(await active()).toEqual(['same']);
    const next = start('other', alone);
    await until(async () => (await active()).length === 2);
    await again.stop();
    await (await next).stop();
    // Killed: its lease of 400 ms lapses.
    await start('killed', alone);
    const after = await start('another', alone);
    expect(await active()).toContain('another');
    await after.stop();
  });
});

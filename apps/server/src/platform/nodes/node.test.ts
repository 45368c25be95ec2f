import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRouterDatabase, type RouterDatabase } from '../../testing/routers.ts';
import { createNode, purgeNodes, type ServerNode } from './index.ts';

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

async function started(name: string): Promise<ServerNode> {
  const { database } = fleet;
  const node = createNode({ database, name, version: '1', timeouts: { leaseMs: LEASE_MS }, monotonic: () => time });
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

import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { createNode, type ServerNode } from '../../../platform/nodes/index.ts';
import { silentLog } from '../../../testing/log.ts';
import { openRouterDatabase, type RouterDatabase } from '../../../testing/routers.ts';
import { endedPage, expiredPage, heldPage, unheldPage } from './presence.store.ts';

const ROUTERS = 20_000;
const LIMIT = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

let fleet: RouterDatabase;
let node: ServerNode;
const endedNode = newId();

beforeAll(async () => {
  fleet = await openRouterDatabase();
  node = createNode({
    database: fleet.database,
    log: silentLog,
    shared: { bus: true, files: true },
    name: 'plans',
    host: 'test',
    version: 'test',
  });
  await node.start();
  // Of ten routers one is held here, one by an ended node, and one waits for the end of its grace; the others are offline.
  await sql`insert into routers (id, main_account_id, serial, mac, endpoint_id, secret_hash, presence, presence_since, held_by)
    select gen_random_uuid(), ${fleet.mainAccountId}::uuid, 'PLAN' || n, lpad(to_hex(n), 12, '0'), 'os::' || n,
      sha256(n::text::bytea), case n % 10 when 0 then 'online' when 1 then 'online' when 2 then 'unknown' else 'offline' end, now(),
      case n % 10 when 0 then ${node.id}::uuid when 1 then ${endedNode}::uuid end
    from generate_series(1, ${ROUTERS}) n`.execute(fleet.database.read);
  await fleet.pool.query('analyze routers');
});
afterAll(() => fleet.close());

async function planOf(statement: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<Record<string, string>>`explain ${statement}`.execute(fleet.database.read);
  return rows.flatMap((row) => Object.values(row)).join('\n');
}

it.each([
  ['the routers of a node', 'routers_held', () => heldPage(node.id, FIRST_ID, LIMIT)],
  ['the routers of ended nodes', 'routers_held', () => endedPage(LIMIT)],
  ['routers that are online without a node', 'routers_not_held', () => unheldPage(LIMIT)],
  ['routers whose grace is over', 'routers_not_held', () => expiredPage(new Date(), LIMIT)],
] as const)('NOD-05-partial %s are read from an index that has no router which is offline', async (_, index, statement) => {
  const plan = await planOf(statement());
  expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan on routers');
});

it('finds exactly the routers of ended nodes', async () => {
  const { rows } = await sql<{ held: string; count: number }>`select held_by as held, count(*)::int as count from routers
    where id in (select id from (${endedPage(ROUTERS)}) e) group by 1`.execute(fleet.database.read);
  expect(rows).toEqual([{ held: endedNode, count: ROUTERS / 10 }]);
});

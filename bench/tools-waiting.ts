import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import type { FleetResponses } from './fleet.ts';
import { options } from './options.ts';
import { description, seedRouters } from './routers.seed.ts';
import { allReconciled } from './routers.ts';
import { assessed, printTable, whole } from './table.ts';

const WAITING = options.routers ?? (options.short ? 200 : 10_000);

const RAMP_MS = options.short ? 1_000 : 10_000;

const MOST_SECONDS = 60;

export async function benchWaiting(cluster: Cluster): Promise<void> {
  const without = await stormOf(cluster, 'bench_tools_without', false);
  const waiting = await stormOf(cluster, 'bench_tools_waiting', true);
  printTable(
    `A storm of ${whole(WAITING)} routers, for each of which a command waits`,
    [
      {
        name: 'until every command has ended',
        unit: 's',
        ours: [waiting.seconds],
        raw: [without.seconds],
        aim: assessed(`≤ ${MOST_SECONDS} s`, waiting.seconds <= MOST_SECONDS && waiting.done === WAITING),
      },
      {
        name: 'transactions for each command, beyond those of the storm',
        unit: '',
        ours: [(waiting.transactions - without.transactions) / WAITING],
        aim: assessed('< 1', waiting.transactions - without.transactions < WAITING),
      },
    ],
    [
      `Ceiling: until all are connected and reconciled, without commands; they connect within ${RAMP_MS / 1_000} s.`,
      `${whole(waiting.done)} of ${whole(WAITING)} commands are done; each router was sent one ${whole(waiting.sends)} times in all.`,
    ],
  );
}

interface Storm {
  readonly seconds: number;
  readonly transactions: number;
  readonly done: number;
  readonly sends: number;
}

async function stormOf(cluster: Cluster, name: string, hasCommands: boolean): Promise<Storm> {
  const database = await cluster.open(name);
  const { owner } = database;
  const { routers, person } = await seedRouters(database, WAITING);
  if (hasCommands) await addWaiting(database, person.id);
  const server = await startHighline(cluster, database);
  const fleet = await startChild<FleetResponses>('fleet.ts');
  const committed = async () => {
    await pause(1_500);
    const { rows } = await owner.query<{ n: string }>(
      'select xact_commit as n from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]!.n);
  };
  const before = await committed();
  const begin = performance.now();
  const connected = fleet.ask('start', server.url.replace('http', 'ws'), routers.map(description), RAMP_MS);
  await connected;
  await allReconciled(server, WAITING);
  const open = async () =>
    (await owner.query<{ n: number }>('select count(*)::int as n from sent_commands where ended_at is null')).rows[0]!.n;
  while ((await open()) > 0) await pause(250);
  const seconds = (performance.now() - begin) / 1_000;
  const transactions = (await committed()) - before;
  const { rows } = await owner.query<{ done: number; sends: number }>(
    `select count(*) filter (where state = 'done')::int as done, coalesce(sum(sends), 0)::int as sends from sent_commands`,
  );
  await fleet.stop();
  await server.stop();
  await database.close();
  return { seconds, transactions, ...rows[0]! };
}

async function addWaiting({ owner }: BenchDatabase, accountId: string): Promise<void> {
  await owner.query(
    `insert into sent_commands (id, organization_id, main_account_id, device_id, router_id, serial, kind, argument, actor, created_at,
       expires_at, due_at)
     select gen_random_uuid(), r.organization_id, r.main_account_id, r.device_id, r.id, r.serial, 'name', 'bench',
       jsonb_build_object('accountId', a.id, 'email', a.email, 'name', a.name, 'role', 'admin', 'mainAccountId', a.main_account_id,
         'organizationId', a.organization_id, 'address', '127.0.0.1', 'sessionId', ''), now(), now() + interval '1 day', now() + interval '1 day'
     from routers r cross join accounts a where a.id = $1`,
    [accountId],
  );
  await owner.query('analyze sent_commands');
}

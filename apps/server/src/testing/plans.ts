import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';
import { until } from './call.ts';
import { OWNER } from './database.ts';

/** A node of a plan, as `explain (analyze, format json)` prints it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Sort Key'?: readonly string[];
  /** Per loop, and only an average. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A statement as a service issued it, and how PostgreSQL ran it. */
export interface PlannedStatement {
  readonly text: string;
  readonly plan: PlanNode;
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  // Then a whole table is read only where no index can be used, whatever the share of this tenant in it.
  enable_seqscan: 'off',
};

const running = new AsyncLocalStorage<PlannedStatement[]>();
/** The work that each connection's present statement belongs to. */
const owners = new WeakMap<Client, PlannedStatement[]>();

/**
 * From now on, each statement that a new connection to this database runs is returned with its plan. PostgreSQL sends it as a notice, so
 * that it is the plan that was run, with its parameters.
 */
export async function recordPlans(
  superuser: Client,
): Promise<{ of(work: () => Promise<unknown>): Promise<readonly PlannedStatement[]>; stop(): void }> {
  for (const [name, value] of Object.entries(SETTINGS))
    await superuser.query(`alter database ${superuser.database!} set ${name} = '${value}'`);
  const { connect, query } = Client.prototype;
  Client.prototype.connect = function (this: Client, ...call: never[]) {
    this.on('notice', ({ message = '' }) => {
      const found = /^duration: .*? plan:\n(.*)$/su.exec(message)?.[1];
      if (found === undefined) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(found) as { 'Query Text': string; Plan: PlanNode };
      owners.get(this)?.push({ text, plan });
    });
    return (connect as (...args: never[]) => unknown).apply(this, call);
  } as typeof connect;
  Client.prototype.query = function (this: Client, ...call: never[]) {
    const owner = running.getStore();
    if (owner === undefined) owners.delete(this);
    else owners.set(this, owner);
    return (query as (...args: never[]) => unknown).apply(this, call);
  } as typeof query;
  // Those that are open already do not send them; their pool opens others.
  const others = 'datname = current_database() and pid <> pg_backend_pid() and usename <> $1';
  await superuser.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`, [OWNER]);
  await until(async () => (await superuser.query(`select 1 from pg_stat_activity where ${others}`, [OWNER])).rows.length === 0);
  return {
    async of(work) {
      const found: PlannedStatement[] = [];
      await running.run(found, work);
      return found;
    },
    stop: () => Object.assign(Client.prototype, { connect, query }),
  };
}

/** Nodes whose rows are in an index, or in the statement itself: of those there are more or fewer by the day of the month (cycles). */
const withoutRows = /^(?:Bitmap Index|Function|Values) /u;

/** All nodes of a plan, each with the number of rows of tables that it read and did not read from another node. */
export function* nodesOf(plan: PlanNode): Generator<{ readonly node: PlanNode; readonly read: number }> {
  const loops = plan['Actual Loops'] ?? 0;
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const isScan = plan['Node Type'].endsWith('Scan') && !withoutRows.test(plan['Node Type']);
  yield { node: plan, read: isScan ? ((plan['Actual Rows'] ?? 0) + removed) * loops : 0 };
  for (const child of plan.Plans ?? []) yield* nodesOf(child);
}

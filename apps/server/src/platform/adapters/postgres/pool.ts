import { availableParallelism } from 'node:os';
import { Client, Pool, type ClientConfig, type PoolClient } from 'pg';
import { currentLimit, currentOperation, isForRouters } from '../../calls/call-steps.ts';
import type { Log } from '../../ports/log.ts';
import { nameOfPlanned } from '../../ports/planned-once.ts';
import type { SlowLog } from '../../process/slow-log.ts';
import type { Hosts } from './hosts.ts';
import { limitedName, limitSession, sendAtOnce, stepsAround } from './limited-session.ts';
import { sessionOf, type Login } from './login.ts';
import { Slots } from './slots.ts';

/** Limits of a serving session, milliseconds; with a pooler, settings of its role. */
export const LIMITS = { statement_timeout: 30_000, lock_timeout: 10_000, idle_in_transaction_session_timeout: 60_000 };

export interface PoolOptions {
  readonly max: number;
  /** Without it, lost connections are not logged. */
  readonly log?: Log;
  /** Time after which a query fails although the server says nothing, as when it is frozen. */
  readonly queryTimeoutMs?: number;
  /** What takes long is logged. */
  readonly slow?: SlowLog | undefined;
  /** Each new connection leads to the present one of several hosts. */
  readonly hosts?: Hosts | undefined;
}

/** Connections of the serving role. A lost one fails its query, never the process. */
export function openPool(login: Login, { max, log, queryTimeoutMs, hosts, slow }: PoolOptions): Pool {
  const pool = new LimitingPool({
    ...sessionOf(login),
    max,
    application_name: 'highline',
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(login.pooled ? {} : LIMITS),
    Client: clientClass(login, hosts, slow),
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
  });
  pool.on('error', (error) => log?.warn({ err: error }, 'Idle database connection lost.'));
  // The pool handles errors of idle connections only. An error between two queries of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const clients = new Set<Client>();
  pool.on('connect', (client) => clients.add(client as Client));
  pool.on('remove', (client) => clients.delete(client as Client));
  clientsOf.set(pool, clients);
  hosts?.onMoved(() => cutConnections(pool));
  return pool;
}

/**
 * How many connections of a pool work for routers at a time: as many as there are processors, but two at least, since one that waits for a lock holds
 * its share for a while, and never all.
 */
export function countForRouters(max: number): number {
  return Math.min(Math.max(2, availableParallelism()), Math.ceil(max / 2));
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: (error?: Error | boolean) => void) => void;

/**
 * Connections that are taken for a call of a limited person serve only what this person may see. For routers a few are used at a time: what they report
 * meanwhile is collected into larger batches, and calls wait neither for a connection nor for a processor.
 */
class LimitingPool extends Pool {
  readonly #forRouters = new Slots(countForRouters(this.options.max));

  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | void {
    if (isForRouters()) {
      if (connected !== undefined) return this.#connectForRouters(connected);
      return new Promise((resolve, reject) => {
        this.#connectForRouters((error, client) => (client === undefined ? reject(error) : resolve(client)));
      });
    }
    const limit = currentLimit();
    if (limit === undefined) return connected === undefined ? super.connect() : super.connect(connected);
    const enter = (client: PoolClient) => {
      const unlimited = Client.prototype.query.bind(client) as (text: string, done: (error: Error) => void) => void;
      limitSession(client, limit, unlimited);
    };
    if (connected === undefined)
      return super.connect().then((client) => {
        enter(client);
        return client;
      });
    super.connect((error, client, release) => {
      if (client !== undefined) enter(client);
      connected(error, client, client === undefined ? release : (failure) => client.release(failure));
    });
  }

  #connectForRouters(connected: Connected): void {
    this.#forRouters.take((end) =>
      super.connect((error, client, release) => {
        if (client === undefined) {
          end();
          return connected(error, client, release);
        }
        client.release = (failure) => {
          // First, so that the next one gets this connection.
          release(failure);
          end();
        };
        connected(error, client, client.release);
      }),
    );
  }
}

function clientClass({ pooled }: Login, hosts: Hosts | undefined, slow: SlowLog | undefined) {
  return class extends Client {
    constructor(config: ClientConfig = {}) {
      super(hosts === undefined ? config : { ...config, ...sessionOf(hosts.current()) });
      this.connection.on('notice', (notice: { readonly routine?: string }) => {
        if (notice.routine === UNCONFIRMED) reject(this);
      });
    }

    override query(...[query, ...rest]: unknown[]): never {
      const steps = stepsAround(this, query);
      if (steps?.before === undefined) return this.#sendThen(steps?.after, query, rest);
      if (!isStream(query)) sendAtOnce(this, true);
      this.connection.stream.cork();
      try {
        super.query(steps.before, ignore);
        return this.#sendThen(steps.after, query, rest);
      } finally {
        this.connection.stream.uncork();
      }
    }

    #sendThen(after: string | undefined, query: unknown, rest: readonly unknown[]): never {
      const result = this.#send(query, rest);
      if (after !== undefined) super.query(after, ignore);
      return result;
    }

    #send(query: unknown, rest: readonly unknown[]): never {
      const given = [named(this, query, pooled), ...rest];
      const run = () => super.query(...(given as [never])) as unknown;
      return (slow === undefined || isStream(query) ? run() : timed(slow, given, run)) as never;
    }
  };
}

/** The query with the name that its plan is kept under. Behind a pooler none is kept: the next transaction may have another session. */
function named(client: Client, query: unknown, isPooled: boolean): unknown {
  if (typeof query === 'string') {
    const name = isPooled ? undefined : nameOfPlanned(query);
    return name === undefined ? query : { text: query, name: limitedName(client, name) };
  }
  if (isStream(query) || typeof query !== 'object' || query === null || !('name' in query)) return query;
  const { name } = query as { readonly name?: string };
  return { ...query, name: isPooled || name === undefined ? undefined : limitedName(client, name) };
}

/** A step that fails aborts its transaction, and with it the statement that it belongs to. */
const ignore = () => {};

/** Its rows are read one after the other: it is as fast as its reader. */
const isStream = (query: unknown) => typeof query === 'object' && query !== null && 'submit' in query;

/** Run a query and measure it, with a callback or as a promise. @param given arguments of `run`; a callback in it is replaced */
function timed(slow: SlowLog, given: unknown[], run: () => unknown): unknown {
  const [query] = given;
  const sql = typeof query === 'string' ? query : String((query as { readonly text?: unknown }).text);
  const operation = currentOperation();
  const began = performance.now();
  const note = () => slow.statement(sql, performance.now() - began, operation);
  const at = given.findIndex((each) => typeof each === 'function');
  if (at === -1) {
    const result = run() as Promise<unknown>;
    result.then(note, note);
    return result;
  }
  const respond = given[at] as (...results: readonly unknown[]) => void;
  given[at] = (...results: readonly unknown[]) => {
    note();
    respond(...results);
  };
  return run();
}

/** The function of PostgreSQL that reports a commit whose wait for the synchronous replica was cancelled; its text is translated. */
const UNCONFIRMED = 'SyncRepWaitForLSN';

/** Such a commit is reported as done although a failover may lose it: end the connection before the client learns of it. */
function reject({ connection }: Client): void {
  for (const event of ['commandComplete', 'readyForQuery']) connection.removeAllListeners(event);
  connection.stream.destroy();
}

const clientsOf = new WeakMap<Pool, Set<Client>>();

/** Cut every connection of a pool; running queries fail as with a lost server. The pool then connects again. */
export function cutConnections(pool: Pool): void {
  for (const client of clientsOf.get(pool) ?? []) client.connection.stream.destroy();
}

/** Close a pool. Queries still running after a few seconds are cancelled with their connections. */
export async function closePool(pool: Pool): Promise<void> {
  const ended = pool.end();
  // Ignore errors of idle connections before closing: those that PostgreSQL closes first are expected.
  pool.removeAllListeners('error').on('error', () => {});
  await Promise.race([ended, sleep(5000)]);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

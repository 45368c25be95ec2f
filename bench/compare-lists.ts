import { Pool } from 'pg';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { type Pair, comparePairs, type Run, watchProcesses } from './compare.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { printTable } from './table.ts';

/** Lists of one seeded database, through the server and as raw SQL. */
export interface Lists<Seeded> {
  readonly database: string;
  seed(database: BenchDatabase): Promise<Seeded>;
  readonly title: string;
  readonly rounds: number;
  pairs(run: Run<Seeded>): readonly Pair[] | Promise<readonly Pair[]>;
  readonly notes?: readonly string[];
  /** With the server that was measured, afterwards. */
  after?(run: Run<Seeded>): Promise<void>;
  /** Once the server is stopped. */
  alone?(database: BenchDatabase, seeded: Seeded): Promise<void>;
}

/** Seed a database, start a server on it, compare the pairs, and print their figures. */
export async function compareLists<Seeded>(cluster: Cluster, lists: Lists<Seeded>): Promise<void> {
  const { title, rounds, notes = [] } = lists;
  const database = await cluster.open(lists.database);
  const seeded = await lists.seed(database);
  const server = await startHighline(cluster, database);
  const pool = new Pool({ connectionString: database.serveUrl, max: 2 });
  // When a pair fails, PostgreSQL is stopped under it; report the failure of the pair instead.
  pool.on('error', () => {});
  const clients: HttpClient[] = [];
  const run: Run<Seeded> = {
    cluster,
    database,
    seeded,
    server,
    raw: (...statements) =>
      Promise.all(
        statements.map(([text, values = [], name]) =>
          pool.query({ ...(name !== undefined && { name }), text, values: [...values] }),
        ),
      ),
    clientOf(bearer) {
      const client = createHttpClient(server.url, bearer);
      clients.push(client);
      return client;
    },
  };
  const pairs = await lists.pairs(run);
  const used = watchProcesses(cluster, server);
  printTable(title, await comparePairs(pairs, rounds), [
    `p50 / p99 of up to ${rounds} each, alternating, one at a time; ratios of both. Ceiling: handwritten SQL over pg, rows fetched.`,
    ...notes,
    used(),
  ]);
  await lists.after?.(run);
  for (const client of clients) client.close();
  await pool.end();
  await server.stop();
  await lists.alone?.(database, seeded);
  await database.close();
}

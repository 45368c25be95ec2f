import type { BenchDatabase } from './cluster.ts';
import { amountOf } from './table.ts';

const DAY_MS = 86_400_000;
/** Tables that grow by less than this for a router and day are left out. */
const LEAST_BYTES = 1_024;

/** Bytes by table, with its partitions and indexes; and of the write-ahead log since its beginning. */
type Sizes = ReadonlyMap<string, number>;

const WAL = 'write-ahead log';

async function readSizes({ owner }: BenchDatabase): Promise<Sizes> {
  const { rows } = await owner.query<{ name: string; bytes: number }>(
    `select coalesce(i.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
       from pg_class c left join pg_inherits i on i.inhrelid = c.oid where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1
     union all select $1, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8`,
    [WAL],
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** What grows from now on. @returns a function that says by how much for a router and day, if each day goes on like this */
export async function watchSizes(database: BenchDatabase, routers: number): Promise<() => Promise<string>> {
  const before = await readSizes(database);
  const begin = performance.now();
  return async () => {
    const after = await readSizes(database);
    const days = (performance.now() - begin) / DAY_MS;
    const grown = Array.from(after, ([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / routers / days] as const)
      .filter(([, bytes]) => bytes >= LEAST_BYTES)
      .toSorted(([, a], [, b]) => b - a);
    return `Disk a router and day: ${grown.map(([name, bytes]) => `${name} ${amountOf([bytes / 1_000], 'kB')}`).join(', ')}.`;
  };
}

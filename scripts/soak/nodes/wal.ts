import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@highline/testkit/server';
import type { StormCluster } from './cluster.ts';
import { isAllRight, type Storm } from './storm.ts';

/** Bytes of write-ahead log each second, without work of users. */
async function walRate({ sql }: StormCluster, seconds: number): Promise<number> {
  await sql.query('checkpoint');
  const position = async () => (await sql.query<{ at: string }>("select pg_current_wal_lsn() - '0/0' as at")).rows[0]!.at;
  const before = await position();
  await pause(seconds * 1_000);
  return (Number(await position()) - Number(before)) / seconds;
}

/** The same routers on all nodes, and on one. */
export async function compareWal(storm: Storm, seconds: number): Promise<void> {
  const { cluster } = storm;
  const many = await walRate(cluster, seconds);
  const [, ...others] = cluster.nodes;
  for (const { server } of others) await server.stop();
  await until(() => isAllRight(storm));
  const one = await walRate(cluster, seconds);
  for (const { server } of others) await server.start();
  const kilobytes = (bytes: number) => (bytes / 1_024).toFixed(1);
  console.log(
    `WAL over ${seconds} s: ${kilobytes(many)} kB/s with ${cluster.nodes.length} nodes, ${kilobytes(one)} kB/s with one: ${(many / one).toFixed(2)}×`,
  );
}

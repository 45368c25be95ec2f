import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbedded } from '../platform/adapters/postgres/embedded.ts';
import { migrate } from '../platform/adapters/postgres/migrate.ts';
import { urlOf } from '../platform/adapters/postgres/postmaster.ts';
import { FUTURE_DAYS, LATE_DAYS } from '../platform/retention/partitions.ts';
import { silentLog } from './log.ts';
import { CLUSTER_VARIABLE, OWNER, runAs, SERVE, urlFor, type TestCluster } from './database.ts';

/** No test cuts the power of this cluster, so durability is off. */
const fast = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
};

/**
 * Before the first test of any project: start one PostgreSQL for all of them, with a migrated template database.
 * HIGHLINE_TEST_DATABASE_URL (of a superuser) uses another cluster instead. Everything is removed afterwards.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env[CLUSTER_VARIABLE] !== undefined) return async () => {};
  const given = process.env['HIGHLINE_TEST_DATABASE_URL'];
  const { cluster, stop } = await startCluster(given);
  process.env[CLUSTER_VARIABLE] = JSON.stringify(cluster);
  return stop;
}

/** @param given connection string of a superuser; by default, an embedded PostgreSQL is started */
export async function startCluster(given?: string): Promise<{ cluster: TestCluster; stop(): Promise<void> }> {
  const { superuser, stop } = given === undefined ? await startOwn() : { superuser: given, stop: async () => {} };
  const cluster: TestCluster = {
    superuser,
    template: `highline_template_${randomBytes(4).toString('hex')}`,
    // The same in each program that uses this cluster: roles belong to all of its databases.
    password: createHash('sha256').update(superuser).digest('hex').slice(0, 24),
  };
  try {
    await makeTemplate(cluster);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    cluster,
    async stop() {
      await runAs(
        superuser,
        `alter database ${cluster.template} is_template false`,
        `drop database ${cluster.template} with (force)`,
      );
      await stop();
    },
  };
}

async function startOwn(): Promise<{ superuser: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'highline-test-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  try {
    const embedded = await startEmbedded({ folder, log: silentLog, settings: fast });
    return { superuser: urlOf(embedded.superuser), stop: () => embedded.stop().finally(removeFolder) };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

const LOCK_OF_ROLES = 1;

async function makeTemplate({ superuser, template, password }: TestCluster): Promise<void> {
  await runAs(
    superuser,
    // Two programs cannot alter a role at the same time.
    `select pg_advisory_lock(${LOCK_OF_ROLES})`,
    ...[OWNER, 'highline_serve', SERVE].map(
      (role) => `do $$ begin create role ${role}; exception when duplicate_object or unique_violation then null; end $$`,
    ),
    ...[OWNER, SERVE].map((role) => `alter role ${role} login password '${password}'`),
    `grant highline_serve to ${SERVE}`,
    `create database ${template} owner ${OWNER}`,
  );
  const owner = new Client(urlFor(superuser, OWNER, password, template));
  await owner.connect();
  try {
    await migrate(owner, { log: silentLog, ownerServes: false });
    // The days that a server makes when it starts: each of them takes some ten milliseconds, and hundreds of servers start.
    await owner.query(`select ensure_partitions(first, last), ensure_coverage_partitions(first, last),
      ensure_position_partitions(first, last), ensure_usage_partitions(first, last)
      from (select today - ${LATE_DAYS} as first, today + ${FUTURE_DAYS} as last from (select (now() at time zone 'utc')::date as today) t) d`);
  } finally {
    await owner.end();
  }
  // Cloning a database requires that nothing is connected to it, not even autovacuum.
  await runAs(superuser, `alter database ${template} is_template true allow_connections false`);
}

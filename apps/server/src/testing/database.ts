import { hash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { DatabaseSettings } from '../platform/settings/settings-parts.ts';

/** The cluster that global-setup.ts started for this run, passed to the workers through the environment. */
export interface TestCluster {
  /** Connection string of a superuser. */
  readonly superuser: string;
  /** Name of a database with the schema and no rows. */
  readonly template: string;
  /** Password of the two roles that tests use. */
  readonly password: string;
}

export const CLUSTER_VARIABLE = 'HIGHLINE_TEST_CLUSTER';
/** The same for tests of the Vitest project `embedded`. */
export const EMBEDDED_VARIABLE = 'HIGHLINE_TEST_EMBEDDED';
export const OWNER = 'highline_owner';
/** A login that is a member of highline_serve only, as in production. */
export const SERVE = 'highline_test_serve';

/** A separate database for one test, with the schema and no rows. */
export interface TestDatabase {
  /** For `openDatabase` and for whole servers. */
  readonly settings: Extract<DatabaseSettings, { kind: 'external' }> & { readonly serveUrl: string };
  /** Connection string of the owner, who has all rights in it. */
  readonly ownerUrl: string;
  /** Connection string of a login with the rights of the server. */
  readonly serveUrl: string;
  /** Drop it, including open connections, with the folder of its servers. */
  close(): Promise<void>;
}

/** Clone the template: takes some tens of milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { superuser, template, password } = testCluster();
  const name = `highline_test_${randomBytes(6).toString('hex')}`;
  await runAs(superuser, `create database ${name} template ${template} owner ${OWNER} strategy file_copy`);
  const ownerUrl = urlFor(superuser, OWNER, password, name);
  const serveUrl = urlFor(superuser, SERVE, password, name);
  return {
    settings: { kind: 'external', url: ownerUrl, serveUrl, poolSize: 8 },
    ownerUrl,
    serveUrl,
    async close() {
      await runAs(superuser, `drop database if exists ${name} with (force)`);
      await rm(folderOf({ ownerUrl }), { recursive: true, force: true });
    },
  };
}

/** The data folder of servers on a database that are given none: files that no row of it names are swept. */
export const folderOf = ({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>): string =>
  join(tmpdir(), `highline-test-${hash('sha256', ownerUrl).slice(0, 16)}`);

/** @throws Error outside of a vitest run */
export function testCluster(): TestCluster {
  const text = process.env[CLUSTER_VARIABLE];
  if (text === undefined)
    throw new Error('There is no test database: vitest starts one in apps/server/src/testing/global-setup.ts.');
  return JSON.parse(text) as TestCluster;
}

/** Run statements, one after another, on a separate connection. */
export async function runAs(url: string, ...statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Connection string of a superuser for a database of the cluster. */
export const superuserOf = (database: string): string => testCluster().superuser.replace(/\/[^/?]*(?=\?|$)/u, `/${database}`);

/**
 * The same server with another user and database. A socket address is not a valid URL for the platform, so it is split as text.
 */
export function urlFor(url: string, user: string, password: string, database: string): string {
  const [, host = '', query = ''] = /^postgres(?:ql)?:\/\/(?:[^@/?]*@)?([^/?]*)(?:\/[^?]*)?(\?.*)?$/u.exec(url) ?? [];
  return `postgresql://${user}:${password}@${host}/${database}${query}`;
}

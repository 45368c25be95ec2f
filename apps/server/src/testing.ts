import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DatabaseSettings } from './settings.ts';

/** The cluster that testing.global.ts started for this run, as it travels to the workers through the environment. */
export interface TestCluster {
  /** Connection string of a superuser. */
  readonly superuser: string;
  /** Name of a database that holds the schema and nothing else. */
  readonly template: string;
  /** Password of the two roles that tests sign in with. */
  readonly password: string;
}

export const CLUSTER_VARIABLE = 'HIGHLINE_TEST_CLUSTER';
export const OWNER = 'highline_owner';
/** A login that is a member of highline_serve and of nothing else, as in production. */
export const SERVE = 'highline_test_serve';

/** A database of one test's own, with the schema and no rows. */
export interface TestDatabase {
  /** For `openDatabase` and for whole servers. */
  readonly settings: Extract<DatabaseSettings, { kind: 'external' }> & { readonly serveUrl: string };
  /** Connection string of the owner, who may do anything in it. */
  readonly ownerUrl: string;
  /** Connection string of a login that may do what the server may do. */
  readonly serveUrl: string;
  /** Drop it, with whatever is still connected. */
  close(): Promise<void>;
}

/** Clone the template: some tens of milliseconds. */
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
    close: () => runAs(superuser, `drop database if exists ${name} with (force)`),
  };
}

/** @throws Error outside of a vitest run */
export function testCluster(): TestCluster {
  const text = process.env[CLUSTER_VARIABLE];
  if (text === undefined) throw new Error('There is no test database: vitest starts one in apps/server/src/testing.global.ts.');
  return JSON.parse(text) as TestCluster;
}

/** Run statements, one after another, on a connection of their own. */
export async function runAs(url: string, ...statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The same server, another user and database. An address of a socket is no URL to the platform, so it is taken apart as text. */
export function urlFor(url: string, user: string, password: string, database: string): string {
  const [, host = '', query = ''] = /^postgres(?:ql)?:\/\/(?:[^@/?]*@)?([^/?]*)(?:\/[^?]*)?(\?.*)?$/u.exec(url) ?? [];
  return `postgresql://${user}:${password}@${host}/${database}${query}`;
}

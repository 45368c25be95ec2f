import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foreignAccess, tableOwners } from './table-ownership.ts';
import { root } from './toolchain.mjs';

/** Writes to a table of another domain, with the reason. The list may only become shorter. */
const WRITES: Readonly<Record<string, string>> = {
  'configs bindings':
    'A deleted file ends its bindings in its own transaction; rollouts depends on configs, not the other way round.',
  'firmware bindings':
    'A deleted file ends its bindings in its own transaction; rollouts depends on firmware, not the other way round.',
  'devices router_ownership': 'The purge of an archived device deletes the intervals that refer to it, before the device.',
  'groups devices': 'A move changes the group of many devices in one statement that counts and locks them.',
  'inventory rate_windows': 'Identity collisions use the same limiter as sign-ins.',
  'esims routers': 'The eSIM engine stores the next check with the router whose row it has locked.',
  'router-state routers': 'The connection and the reported facts are columns in the row of the router.',
  'router-state devices': 'Connection and facts are copied to the row that lists read, by generated statements.',
  'rollouts router_events': 'Ends of steps are events of the router, written with the step.',
};

/** Reads of other domains' tables outside of `.queries.ts` files: stores that lock or join. The list may only become shorter. */
const READS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['notification_subscriptions', 'organizations'],
  analysis: ['devices'],
  configs: ['bindings', 'groups'],
  devices: ['groups', 'organizations', 'router_contacts', 'router_ownership', 'routers'],
  esims: ['devices', 'routers'],
  firmware: ['bindings', 'groups', 'organizations'],
  groups: ['accounts', 'bindings', 'devices', 'organizations'],
  inventory: ['rate_windows'],
  mails: ['mailed_links', 'organizations'],
  notifications: ['devices', 'groups', 'organizations', 'routers'],
  organizations: ['accounts', 'devices'],
  'remote-access': ['devices', 'organizations', 'routers', 'sessions'],
  reports: ['connectivity', 'devices', 'router_facts', 'router_ownership', 'telemetry', 'telemetry_reports'],
  'router-state': ['routers'],
  rollouts: ['config_versions', 'devices', 'firmware', 'groups', 'routers'],
};

const pair = (file: string, table: string): string => `${file.split('/')[0]} ${table}`;

test('a domain writes the tables that it declares, and no others', () => {
  const { writes } = foreignAccess();
  const unlisted = writes
    .filter(({ file, table }) => WRITES[pair(file, table)] === undefined)
    .map(
      ({ file, table, owner }) =>
        `${file} writes ${table}, which belongs to ${owner}: call a function of domains/${owner}/index.ts.`,
    );
  expect(unlisted).toEqual([]);
});

test('an exception that is no longer needed is removed from the list', () => {
  const { writes, reads } = foreignAccess();
  const written = new Set(writes.map(({ file, table }) => pair(file, table)));
  const joined = new Set(reads.filter(({ file }) => !file.endsWith('.queries.ts')).map(({ file, table }) => pair(file, table)));
  const stale = [
    ...Object.keys(WRITES).filter((entry) => !written.has(entry)),
    ...Object.entries(READS).flatMap(([domain, tables]) =>
      tables.map((table) => `${domain} ${table}`).filter((entry) => !joined.has(entry)),
    ),
  ];
  expect(stale).toEqual([]);
});

test('a domain reads the tables of another in its queries', () => {
  const unlisted = foreignAccess()
    .reads.filter(({ file, table }) => !file.endsWith('.queries.ts') && !READS[file.split('/')[0]!]?.includes(table))
    .map(
      ({ file, table, owner }) =>
        `${file} reads ${table} of ${owner}: move the statement into a .queries.ts file or call domains/${owner}/index.ts.`,
    );
  expect(unlisted).toEqual([]);
});

test('a file of queries names the tables of other domains that it reads in its first line', () => {
  const { reads } = foreignAccess();
  const files = new Map<string, string[]>();
  for (const { file, table } of reads.filter((one) => one.file.endsWith('.queries.ts')))
    files.set(file, [...(files.get(file) ?? []), table]);
  const wrong = [...files].flatMap(([file, tables]) => {
    const [first] = readFileSync(join(root, 'apps/server/src/domains', file), 'utf8').split('\n');
    const expected = `// Reads tables of other domains: ${tables.toSorted().join(', ')}.`;
    return first === expected ? [] : [`${file} should begin with: ${expected}`];
  });
  expect(wrong).toEqual([]);
});

test('every table of a domain is declared once', () => {
  expect(tableOwners().size).toBeGreaterThan(40);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessOf, domainOf, FOREIGN_WRITES, findForeignReads, findTableOwners, findWrites } from './table-ownership.ts';
import { root } from './toolchain.mjs';

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
  mails: ['mailed_links'],
  notifications: ['devices', 'groups', 'organizations', 'routers'],
  organizations: ['accounts', 'devices'],
  'remote-access': ['devices', 'routers', 'sessions'],
  reports: ['connectivity', 'devices', 'router_facts', 'router_ownership', 'telemetry', 'telemetry_reports'],
  'router-state': ['routers'],
  rollouts: ['config_versions', 'devices', 'firmware', 'groups', 'routers'],
};

test('each table has one domain that writes it', () => {
  const shared = [...findTableOwners()].filter(([, domains]) => domains.length > 1);
  const unlisted = findWrites().flatMap(({ file, table }) =>
    shared.some(([name, domains]) => name === table && domains.includes(domainOf(file)))
      ? [`${file} writes ${table}, as another domain does: call a function of the index.ts of the one that it belongs to.`]
      : [],
  );
  expect(unlisted).toEqual([]);
});

test('an exception that is no longer needed is removed from the list', () => {
  const written = new Set(findWrites().map(({ file, table }) => accessOf(file, table)));
  const joined = new Set(
    findForeignReads().flatMap(({ file, table }) => (file.endsWith('.queries.ts') ? [] : [accessOf(file, table)])),
  );
  const stale = [
    ...Object.keys(FOREIGN_WRITES).filter((entry) => !written.has(entry)),
    ...Object.entries(READS).flatMap(([domain, tables]) =>
      tables.map((table) => `${domain} ${table}`).filter((entry) => !joined.has(entry)),
    ),
  ];
  expect(stale).toEqual([]);
});

test('a domain reads the tables of another in its queries', () => {
  const unlisted = findForeignReads()
    .filter(({ file, table }) => !file.endsWith('.queries.ts') && !READS[domainOf(file)]?.includes(table))
    .map(
      ({ file, table, owner }) =>
        `${file} reads ${table} of ${owner}: move the statement into a .queries.ts file or call domains/${owner}/index.ts.`,
    );
  expect(unlisted).toEqual([]);
});

test('a file of queries names the tables of other domains that it reads in its first line', () => {
  const files = new Map<string, string[]>();
  for (const { file, table } of findForeignReads().filter((one) => one.file.endsWith('.queries.ts')))
    files.set(file, [...(files.get(file) ?? []), table]);
  const wrong = [...files].flatMap(([file, tables]) => {
    const [first] = readFileSync(join(root, 'apps/server/src/domains', file), 'utf8').split('\n');
    const expected = `// Reads tables of other domains: ${tables.toSorted().join(', ')}.`;
    return first === expected ? [] : [`${file} should begin with: ${expected}`];
  });
  expect(wrong).toEqual([]);
});

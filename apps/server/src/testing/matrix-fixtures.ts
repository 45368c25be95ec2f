import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fixtures } from './fixture.ts';

const source = join(import.meta.dirname, '..');
const files = globSync('domains/*/testing/*fixtures.ts', { cwd: source }).sort();
const ofDomains = await Promise.all(
  files.map((file) => import(pathToFileURL(join(source, file)).href) as Promise<{ readonly fixtures: Fixtures }>),
);

/** A request for every operation of the contract, by id: those of each domain's folder, and of the live stream, which belongs to none. */
export const fixtures: Fixtures = Object.assign(
  { 'live.stream': { names: 'organization', make: (scope) => ({ query: { org: scope.organizationId } }) } } satisfies Fixtures,
  ...ofDomains.map((domain) => domain.fixtures),
) as Fixtures;

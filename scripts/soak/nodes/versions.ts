import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders of two versions of the program, of which the newer one adds to the database. */
export interface Versions {
  readonly former: string;
  readonly current: string;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Packages of this repository, which each version has itself. */
const OWN = '@highline';
const CONSOLE = 'apps/console/dist';
/** What a server consists of. */
const SERVER = ['package.json', 'apps/server', 'packages'];

/**
 * Two versions of the program with the installed packages of this working copy: this one and the one at a revision in git, or, without a
 * revision, this one as the former and a copy of it with one more migration.
 * @throws Error for a revision that git does not know
 */
export function prepareVersions(folder: string, revision: string | undefined): Versions {
  mkdirSync(folder, { recursive: true });
  if (revision === undefined) return { former: ROOT, current: makeNext(folder) };
  const commands = 'git archive "$1" | tar -x -C "$2"';
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', commands, '-', revision, folder], { cwd: ROOT });
  if (status !== 0) throw new Error(`git could not read ${revision}: ${stderr.toString().trim()}`);
  linkPackages(folder);
  return { former: folder, current: ROOT };
}

/** A version that differs from this one by its number and by a column. */
function makeNext(folder: string): string {
  const isCopied = (path: string) => !/[\\/](?:node_modules|dist)$|\.test\.tsx?$/u.test(path);
  for (const name of SERVER) cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isCopied });
  const description = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version: `${description.version}-next` }));
  writeFileSync(join(folder, 'apps/server/migrations/9000-next.sql'), 'alter table groups add column of_next_version text;\n');
  linkPackages(folder);
  return folder;
}

function linkPackages(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, OWN), { recursive: true });
  for (const name of readdirSync(from)) if (name !== OWN && !name.startsWith('.')) symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, OWN))) {
    const link = join(from, OWN, name);
    const target = realpathSync(resolve(dirname(link), readlinkSync(link)));
    symlinkSync(join(folder, relative(realpathSync(ROOT), target)), join(to, OWN, name));
  }
  // No browser takes part: a server only asks for a console that is built.
  mkdirSync(dirname(join(folder, CONSOLE)), { recursive: true });
  symlinkSync(join(ROOT, CONSOLE), join(folder, CONSOLE));
}

// `npm run release`: dist/highline-<version>-<platform>.tar.gz with everything that a production server needs besides Node 24.
// `node scripts/release.mjs --folder FOLDER` writes the same files into a new folder instead.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, fail, node24, root, say } from './toolchain.mjs';

/** Workspaces that a server runs, and what else belongs to a release. */
const SOURCES = [
  'apps/server/src',
  'apps/server/maps',
  'apps/server/migrations',
  'packages/client/src',
  'packages/contract/src',
  'packages/image/src',
  'packages/usp/src',
];
const FILES = [
  'package.json',
  'apps/server/package.json',
  'packages/client/package.json',
  'packages/client/openapi.json',
  'packages/contract/package.json',
  'packages/image/package.json',
  'packages/usp/package.json',
  'apps/console/dist',
  'packaging',
  'bin',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
];
const FOR_TESTS = /\.test\.ts$|\/(?:testing|system-tests)(?:\/|$)/u;

/** Write a release into a new folder. The console must be built. */
export async function stage(folder) {
  mkdirSync(folder, { recursive: true });
  for (const path of SOURCES) copy(path, folder, (from) => !FOR_TESTS.test(from));
  for (const path of FILES) copy(path, folder);
  // A package inside of another one is copied with it.
  const packages = productionPackages().filter((path, _n, all) => !all.some((other) => path.startsWith(`${other}/`)));
  const copied = spawnSync('cp', ['-a', '--reflink=auto', '--parents', ...packages, folder], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (copied.status !== 0) fail('cp failed; its messages are above.');
  for (const name of ['client', 'contract', 'image', 'usp']) {
    mkdirSync(join(folder, 'node_modules', '@highline'), { recursive: true });
    symlinkSync(`../../packages/${name}`, join(folder, 'node_modules', '@highline', name));
  }
  const commit =
    process.env.HIGHLINE_COMMIT ?? spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout?.trim();
  if (commit) writeFileSync(join(folder, 'COMMIT'), `${commit}\n`);
  // npm drops the links between PostgreSQL's libraries; an installed release may be read-only.
  const { findBinaries } = await import(
    pathToFileURL(join(folder, 'apps/server/src/platform/adapters/postgres/binaries.ts')).href
  );
  findBinaries();
}

function copy(path, folder, filter = () => true) {
  cpSync(join(root, path), join(folder, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => filter(`/${relative(root, from)}`),
  });
}

/** Folders of all packages that the server needs at run time, resolved in package-lock.json as Node does. */
function productionPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Set();
  const visit = (from) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[from];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = resolveIn(packages, from, name);
      // Optional packages of other platforms are not installed.
      if (path === undefined || !existsSync(join(root, path))) {
        if (name in optionalDependencies) continue;
        fail(`${name}, which ${from} needs, is not installed.`);
      }
      const target = packages[path].link === true ? packages[path].resolved : path;
      if (found.has(target)) continue;
      found.add(target);
      visit(target);
    }
  };
  visit('apps/server');
  return [...found].filter((path) => path.includes('node_modules/'));
}

/** The entry of the nearest node_modules that has the package. */
function resolveIn(packages, from, name) {
  for (let at = from; ; at = at.includes('/') ? dirname(at) : '') {
    const path = join(at, 'node_modules', name);
    if (packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}

async function main(argv) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (argv[0] === '--folder') {
    const folder = resolve(argv[1] ?? fail('--folder: a folder is missing.'));
    if (existsSync(folder)) fail(`${folder} exists already.`);
    await stage(folder);
    say(`${folder}: Highline ${version}.`);
    return;
  }
  const name = `highline-${version}`;
  const dist = join(root, 'dist');
  rmSync(join(dist, name), { recursive: true, force: true });
  await stage(join(dist, name));
  const file = join(dist, `${name}-${process.platform}-${process.arch}.tar.gz`);
  const args = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-C', dist, '-czf', `${file}.part`, name];
  if (spawnSync('tar', args, { stdio: ['ignore', 2, 2] }).status !== 0) fail('tar failed; its messages are above.');
  renameSync(`${file}.part`, file);
  rmSync(join(dist, name), { recursive: true });
  say(file);
}

if (process.argv[1] === import.meta.filename) {
  ensureInstalled();
  ensureBuilt();
  // The files of the server are read as TypeScript, which needs Node 24.
  if (Number(process.versions.node.split('.')[0]) >= 24) await main(process.argv.slice(2));
  else process.exit(spawnSync(node24(), [import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
}

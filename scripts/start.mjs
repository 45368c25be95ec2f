// `npm start` (demo) and `npm run serve` (production): install, build, run.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, runToEnd, serverOptions } from './toolchain.mjs';

ensureInstalled();
ensureBuilt();
const main = join(root, 'apps', 'server', 'src', 'main.ts');
process.exit(await runToEnd([...serverOptions, main, ...process.argv.slice(2)], { service: true }));

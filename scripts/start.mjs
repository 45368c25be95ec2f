// `npm start` (demo) and `npm run serve` (production): install, build, run.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, runToEnd } from './toolchain.mjs';

ensureInstalled();
ensureBuilt();
process.exit(await runToEnd([join(root, 'apps', 'server', 'src', 'main.ts'), ...process.argv.slice(2)], { service: true }));

// Run one of our TypeScript programs on Node 24: `node scripts/run.mjs [--built] FILE [ARG …]`. With --built the console is built
// first.
import { resolve } from 'node:path';
import { ensureBuilt, ensureInstalled, root, runToEnd } from './toolchain.mjs';

ensureInstalled();
const isBuilt = process.argv[2] === '--built';
if (isBuilt) ensureBuilt();
const [file, ...args] = process.argv.slice(isBuilt ? 3 : 2);
process.exit(await runToEnd([resolve(root, file ?? ''), ...args]));

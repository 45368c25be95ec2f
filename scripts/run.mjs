// Runs one of our TypeScript programs on Node 24: `node scripts/run.mjs FILE [ARG …]`.
import { resolve } from 'node:path';
import { ensureInstalled, root, runToEnd } from './toolchain.mjs';

ensureInstalled();
const [file, ...args] = process.argv.slice(2);
process.exit(await runToEnd([resolve(root, file ?? ''), ...args]));

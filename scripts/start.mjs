// `npm start` (demo) and `npm run serve` (production): install, build, run.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, runToEnd, say } from './toolchain.mjs';

ensureInstalled();
ensureBuilt();
const exitCode = await runToEnd([join(root, 'apps', 'server', 'src', 'main.ts'), ...process.argv.slice(2)], { service: true });
if (exitCode !== 0)
  say(
    `\nhighline: The server ended with exit code ${exitCode}. Its last log entry contains the reason; restart it with the same command.`,
  );
process.exit(exitCode);

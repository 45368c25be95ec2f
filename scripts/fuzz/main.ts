import { startCluster as setup } from '@highline/testkit/database';
import { ensureBuilt } from '../toolchain.mjs';
import { readCommand, usage } from './command.ts';
import { runFuzz } from './run.ts';

// `npm run fuzz -- api|usp|csv|tunnel|limits`: generated calls, frames and files against a separate server with its own database.

const command = readCommand(process.argv.slice(2));
if (command === undefined) {
  console.error(usage);
  process.exit(2);
}
ensureBuilt();
const stop = await setup();
try {
  const report = await runFuzz(command.target, command.options, command.scale);
  for (const line of report.lines()) console.log(line);
  process.exitCode = report.findings.length > 0 ? 1 : 0;
} finally {
  await stop();
}
// Do not wait for connections that a case left open.
process.exit();

import { readFileSync } from 'node:fs';
import { startAgent } from '../start.ts';
import { CRASH_ROUTER } from './crash-router.ts';

/**
 * A router process for crash tests: `<server> <state folder> <key file> <window in ms> <before|after> <write>`. It prints the
 * number of each write once it is done, and dies at the given one like in a power cut.
 */
const [server = '', stateDir = '', keyFile = '', callHomeMs = '', moment = '', at = ''] = process.argv.slice(2);
const dieAt = (write: number) => {
  if (write === Number(at)) process.kill(process.pid, 'SIGKILL');
};

startAgent({
  server,
  stateDir,
  router: CRASH_ROUTER,
  trustedKeys: [readFileSync(keyFile, 'utf8')],
  timing: {
    backoff: { minMs: 5, maxMs: 40, rejectedMs: 30, serverRestartMs: 20 },
    graceMs: 5,
    bootMs: 10,
    retryMs: 5,
    callHomeMs: Number(callHomeMs),
  },
  beforeWrite: (_serial, write) => {
    if (moment === 'before') dieAt(write);
  },
  afterWrite: (_serial, write) => {
    // Synchronous, so that the number is printed before anything follows.
    process.stdout.write(`${write}\n`);
    if (moment === 'after') dieAt(write);
  },
});

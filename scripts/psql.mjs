// `npm run psql [-- OPTION …]`: the machine's psql on the embedded database of a running Highline, as the role that owns the
// tables.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './toolchain.mjs';

const dataDir = process.env.HIGHLINE_DATA_DIR ?? join(root, '.highline');

/** Folder of the database's Unix socket, as recorded by the running server. */
function socketFolder() {
  try {
    const { sockets } = JSON.parse(readFileSync(join(dataDir, 'postgres', 'lock'), 'utf8'));
    if (existsSync(sockets)) return sockets;
  } catch {
    // Reported below: no server runs on this folder.
  }
  return fail(`No embedded database runs on ${dataDir}. Start one with \`npm start\`, or set HIGHLINE_DATA_DIR.`);
}

const child = spawn('psql', ['-h', socketFolder(), '-p', '5432', '-U', 'highline_owner', 'highline', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
child.on('error', () => fail('psql is not installed. On Debian: apt-get install postgresql-client'));
child.on('exit', (code) => process.exit(code ?? 1));

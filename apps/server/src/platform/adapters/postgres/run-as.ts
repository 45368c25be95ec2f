import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../settings/settings-file.ts';

const NOBODY = 65_534;

/** Command prefix that runs a PostgreSQL program under a user it accepts: PostgreSQL does not run as root. */
export interface RunAs {
  /** Required owner of its files and its socket folder. */
  readonly uid: number;
  readonly gid: number;
  /** Arguments of setpriv, then of the program that setpriv runs; the PostgreSQL program follows. */
  readonly through: readonly string[];
}

/**
 * Choose the user for the cluster in `folder` and give the folder to it.
 *
 * A normal user runs PostgreSQL as itself. Root runs it as the owner of the folder. If that is root: in a user namespace in which
 * root's files belong to `nobody`, or, where namespaces are forbidden, as the real `nobody`, which then gets the folder.
 * @throws StartupError when a normal user uses a folder of another user
 */
export function chooseRunAs(folder: string): RunAs {
  const { uid, gid } = statSync(folder);
  const self = process.getuid?.() ?? 0;
  if (self !== 0) return asSelf(folder, self, uid, gid);
  if (uid !== 0) return asOwner(uid, gid);
  if (namespacesWork()) return { uid: 0, gid: 0, through: ['unshare', '--user', `--map-user=${NOBODY}`] };
  giveAway(folder, NOBODY, NOBODY);
  return asOwner(NOBODY, NOBODY);
}

/**
 * The command line that runs `program` as `who`; the kernel sends it `signal` when the thread that spawned it ends, so that not
 * even kill -9 of this process leaves it behind. Never spawn it from a worker thread.
 */
export function commandAs(who: RunAs, signal: 'INT' | 'KILL', program: string, args: readonly string[]): string[] {
  return ['--pdeathsig', signal, ...who.through, program, ...args];
}

/** Change the owner of `path` to `who`; a normal user already owns its files. */
export function give(path: string, who: RunAs): void {
  if (process.getuid?.() === 0) chownSync(path, who.uid, who.gid);
}

function asSelf(folder: string, self: number, uid: number, gid: number): RunAs {
  if (uid === self) return { uid, gid, through: [] };
  throw new StartupError(
    `${folder} belongs to another user (uid ${uid}, and this is uid ${self}). Start Highline as that user, or set HIGHLINE_DATA_DIR to your own folder.`,
  );
}

/** The capability gives that user access to paths that only root may enter, such as node_modules below /root. */
function asOwner(uid: number, gid: number): RunAs {
  const capability = ['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'];
  return { uid, gid, through: [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capability] };
}

function namespacesWork(): boolean {
  return spawnSync('unshare', ['--user', `--map-user=${NOBODY}`, 'true'], { stdio: 'ignore' }).status === 0;
}

function giveAway(folder: string, uid: number, gid: number): void {
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) lchownSync(join(folder, name), uid, gid);
}

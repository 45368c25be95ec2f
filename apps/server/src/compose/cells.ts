import {
  createCellKeys,
  createClaim,
  createDirectoryClient,
  findPass,
  joinDirectory,
  leaveDirectory,
  membershipJob,
} from '../domains/cells/index.ts';
import type { Job } from '../platform/jobs/runner.ts';
import type { Database, Tx } from '../platform/ports/database.ts';
import type { Log } from '../platform/ports/log.ts';
import { StartupError } from '../platform/settings/settings-file.ts';
import { type Settings } from '../platform/settings/settings.ts';

/** What a cell does for its directory. */
export interface Membership {
  readonly cell: string;
  /** The last step of each write. */
  claim(tx: Tx): Promise<void>;
  job(database: Database): Job;
}

/** Undefined where there is no directory. */
export function openMembership({ cells }: Pick<Settings, 'cells'>, log: Log): Membership | undefined {
  if (cells?.kind !== 'member') return undefined;
  const { cell, url, key } = cells;
  const keys = createCellKeys(key);
  const send = createDirectoryClient({ url, cell }, keys);
  return { cell, claim: createClaim({ keys, send, log }), job: (database) => membershipJob({ database, log, keys, send }) };
}

/**
 * Before anything is served: note every change of a name from now on.
 * @throws StartupError where the other processes of this database have a directory and this one has none, or another name
 */
export async function checkMembership(
  database: Database,
  { cells }: Pick<Settings, 'cells'>,
  membership: Membership | undefined,
): Promise<void> {
  const before = await findPass(database.read);
  if (membership !== undefined) {
    if (before !== undefined && before.cell !== membership.cell)
      throw new StartupError(
        `CELL_NAME: this database is the cell "${before.cell}". Set it to that, or leave that directory first with one start with DIRECTORY_URL=none.`,
      );
    return database.write((tx) => joinDirectory(tx, membership.cell));
  }
  if (before === undefined) return undefined;
  if (cells?.kind === 'left') return database.write(leaveDirectory);
  throw new StartupError(
    `DIRECTORY_URL: is missing, and this database is the cell "${before.cell}". Set DIRECTORY_URL, CELL_NAME and CELLS_KEY as for its other processes, or DIRECTORY_URL=none to leave the directory.`,
  );
}

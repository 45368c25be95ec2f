import type { BlobStore } from '../../ports/blobs.ts';
import type { Database } from '../../ports/database.ts';
import type { Log } from '../../ports/log.ts';

/** Named in the log line; the rest is only counted. */
const NAMED = 5;

/**
 * Log how many firmware files of the catalogue are missing where files are kept, as after a lost disk or a wrong data folder: routers
 * cannot download them. Of the whole installation, so without a scope; nothing of it leaves the log.
 * @returns how many are missing
 */
export async function reportMissingFirmware(database: Database, blobs: BlobStore, log: Log): Promise<number> {
  const rows = await database.read.selectFrom('firmware').select(['sha256', 'profile', 'version']).execute();
  const missing: string[] = [];
  for (const { sha256, profile, version } of rows)
    if (!(await blobs.has(sha256.toString('hex')))) missing.push(`${profile} ${version}`);
  if (missing.length > 0)
    log.error(
      { missing: missing.length, of: rows.length, firmware: missing.slice(0, NAMED) },
      'Firmware files are missing from the data folder; routers cannot download them. Put the folder "blobs" back from a backup, or upload them again.',
    );
  return missing.length;
}

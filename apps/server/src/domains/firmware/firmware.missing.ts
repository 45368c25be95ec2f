import type { BlobStore, Database, Log } from '../../platform/ports/index.ts';

/** The most files named in the log line; the rest is only counted. */
const NAMED = 5;

/**
 * Log how many firmware files of the catalogue are missing in the store of files, for example after a lost disk or with a wrong
 * folder: routers cannot download them. It covers the whole installation, so it has no scope, and its result is only logged.
 * @returns how many are missing
 */
export async function reportMissingFirmware(database: Database, blobs: BlobStore, log: Log): Promise<number> {
  const rows = await database.read.selectFrom('firmware').select(['sha256', 'profile', 'version']).execute();
  const missing: string[] = [];
  for (const { sha256, profile, version } of rows)
    if (!(await blobs.has(sha256.toString('hex')))) missing.push(`${profile} ${version}`);
  if (missing.length > 0)
    log.error(
      { missing: missing.length, of: rows.length, firmware: missing.slice(0, NAMED), location: blobs.location },
      'Firmware files are missing; routers cannot download them. Restore them from a backup, or upload them again.',
    );
  return missing.length;
}

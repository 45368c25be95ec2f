import { createHash, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { StartupError, type Settings } from '../../settings/settings.ts';
import { openAuditKey } from '../audit/key.ts';
import type { OpenedDatabase } from '../postgres/connect.ts';

/**
 * Compare the keys of this start with those that the database was filled with, and record them at the first start. Nothing may be
 * sealed or signed with a key that belongs to another database.
 * @throws StartupError when the master key differs, or the audit key is missing or differs
 */
export async function checkKeys(
  { withOwner }: Pick<OpenedDatabase, 'withOwner'>,
  { masterKey, dataDir }: Pick<Settings, 'masterKey' | 'dataDir'>,
): Promise<void> {
  await withOwner(async (client) => {
    if ((await firstOf(client, 'master_key_check', checkValueOf(masterKey))) !== checkValueOf(masterKey))
      throw new StartupError(
        'HIGHLINE_MASTER_KEY is not the key of this database: its config files, second factors and eSIM codes are sealed with another one and would be unreadable. Set the key that this installation was first started with.',
      );
    await checkAuditKey(client, dataDir);
  });
}

async function checkAuditKey(client: Client, dataDir: string): Promise<void> {
  const noted = await find(client, 'audit_key');
  const path = join(dataDir, 'audit-key.pem');
  if (noted !== undefined && !existsSync(path)) throw otherAuditKey(`${path} is missing`, noted);
  if (!existsSync(path) && hasCheckpoints(dataDir))
    throw new StartupError(
      `${path} is missing, though log checkpoints that it signed are in ${join(dataDir, 'audit')}. Restore the file from a backup. If that key is lost for good, move the checkpoints to another folder; the next start generates a new key, and earlier log exports are verified with the old public key.`,
    );
  const own = fingerprintOf(openAuditKey(dataDir).privateKey);
  if ((await firstOf(client, 'audit_key', own)) !== own) throw otherAuditKey(`${path} contains another key`, noted ?? '');
}

/** In a database older than the stored fingerprint, signed checkpoints show that there was a key. */
function hasCheckpoints(dataDir: string): boolean {
  const folder = join(dataDir, 'audit');
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('checkpoints-'));
}

function otherAuditKey(what: string, noted: string): StartupError {
  return new StartupError(
    `${what}: the logs of this database are signed with the audit key of fingerprint ${noted}. HIGHLINE_DATA_DIR may point to a wrong or an empty folder; correct it, or restore the file from a backup. If that key is lost for good, run as the owner of the database: delete from installation where key = 'audit_key'; the next start generates a new one, and earlier log exports are verified with the old public key.`,
  );
}

/** Store a value unless there is one. @returns the stored value */
async function firstOf(client: Client, key: string, value: string): Promise<string | undefined> {
  await client.query('insert into installation (key, value) values ($1, to_jsonb($2::text)) on conflict (key) do nothing', [
    key,
    value,
  ]);
  return find(client, key);
}

async function find(client: Client, key: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>(
    'select value #>> array[]::text[] as value from installation where key = $1',
    [key],
  );
  return rows[0]?.value;
}

/** Derived for this purpose only: it shows whether two keys are equal and reveals nothing else. */
function checkValueOf(masterKey: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'highline master key check', 16)).toString('hex');
}

/** SHA-256 of the public key (SPKI, DER), hex. */
function fingerprintOf(privateKey: KeyObject): string {
  return createHash('sha256')
    .update(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

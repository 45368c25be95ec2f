import { hkdfSync, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPair } from '@highline/image';
import type { Client } from 'pg';
import { createSealing, type Keyring, type MasterKey, type Sealing } from '../../../kernel/sealing.ts';
import type { Log } from '../../ports/log.ts';
import type { Row } from '../../ports/tables.ts';
import { StartupError } from '../../settings/settings-file.ts';
import type { Settings } from '../../settings/settings.ts';
import { auditKeyOf, type AuditKey } from '../audit/key.ts';
import { findFact, firstOf } from './facts.ts';

/** SQL of the advisory lock under which keys are read, made and replaced. */
export const LOCK = "hashtextextended('highline installation', 0)";

/** Encrypts the keys of an installation, each for its purpose. */
export function createKeySealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline installation keys');
}

/** A key that all processes of an installation share. */
export interface SharedKind<Key> {
  /** Name in the table `installation_keys`. */
  readonly purpose: string;
  /** In messages. */
  readonly title: string;
  /** File of the data folder that contained the key in version 0.1.0, if that version had it. */
  readonly file?: string;
  /** A new private key, as text. */
  generate(): string;
  /** @throws Error when the text is no such key */
  parse(text: string): Key;
  /** Public name of the key. */
  idOf(key: Key): string;
}

/** What the keys of an installation are read with; all of them in one session of the database's owner. */
export interface KeyDeps extends Pick<Settings, 'dataDir'> {
  readonly client: Client;
  readonly masterKey: MasterKey;
  readonly log: Log;
}

const audit = {
  purpose: 'audit',
  title: 'audit key',
  file: 'audit-key.pem',
  generate: () => generateKeyPair().privateKey,
  parse: auditKeyOf,
  idOf: ({ id }) => id,
} satisfies SharedKind<AuditKey>;

/** The master keys of a process. */
export interface ProcessKeys extends Keyring {
  /** The known key with this check value. */
  find(check: string): KeyObject | undefined;
  /** Seal with a known key from now on. */
  use(key: KeyObject): void;
}

/** @param known at least one */
export function createProcessKeys(first: KeyObject, known: readonly KeyObject[]): ProcessKeys {
  let active = first;
  return {
    known,
    get active() {
      return active;
    },
    find: (check) => known.find((key) => masterKeyCheck(key) === check),
    use(key) {
      active = key;
    },
  };
}

/**
 * The installation's key for log exports and checkpoints. The first start generates it; the first start after version 0.1.0 takes
 * it from the data folder.
 * @throws StartupError when logs were signed with a key that is no longer there: nothing may be signed with a new one unnoticed
 */
export async function openAuditKey(deps: KeyDeps): Promise<AuditKey> {
  const { client, dataDir } = deps;
  const path = join(dataDir, audit.file);
  const noted = await findFact(client, 'audit_key');
  if (!(await isStored(client, audit.purpose))) {
    if (noted !== undefined && !existsSync(path)) throw otherAuditKey(`Neither the database nor ${path} contains it`, noted);
    if (!existsSync(path) && hasCheckpoints(dataDir))
      throw new StartupError(
        `${path} is missing, though log checkpoints that it signed are in ${join(dataDir, 'audit')}. Restore the file from a backup. If that key is lost for good, move the checkpoints to another folder; the next start generates a new key, and earlier log exports are verified with the old public key.`,
      );
    if (noted !== undefined && readKeyFile(audit, path).id !== noted) throw otherAuditKey(`${path} contains another key`, noted);
  }
  const key = await openSharedKey(audit, deps);
  if ((await firstOf(client, 'audit_key', key.id)) !== key.id)
    throw otherAuditKey('The database contains another key', noted ?? '');
  return key;
}

/**
 * A key that is sealed in the database: stored there by the first start, from the data folder if an earlier version left it there.
 * All processes read the same one.
 * @throws StartupError when it is damaged: others rely on this key, so it is never replaced
 */
export async function openSharedKey<Key>(kind: SharedKind<Key>, { client, masterKey, dataDir, log }: KeyDeps): Promise<Key> {
  const sealing = createKeySealing(masterKey);
  const path = kind.file === undefined ? undefined : join(dataDir, kind.file);
  if (!(await isStored(client, kind.purpose))) {
    const found = path !== undefined && existsSync(path) ? path : undefined;
    const text = found === undefined ? kind.generate() : readFileSync(found, 'utf8');
    const id = kind.idOf(found === undefined ? kind.parse(text) : readKeyFile(kind, found));
    const sealed = sealing.seal(kind.purpose, Buffer.from(text));
    await client.query(
      'insert into installation_keys (purpose, key_id, sealed) values ($1, $2, $3) on conflict (purpose) do nothing',
      [kind.purpose, id, sealed],
    );
  }
  const { rows } = await client.query<Row<'installation_keys', 'sealed'>>(
    'select sealed from installation_keys where purpose = $1',
    [kind.purpose],
  );
  const key = kind.parse(unseal(() => sealing.open(kind.purpose, rows[0]!.sealed), kind.title));
  if (path !== undefined) compareFile(kind, path, key, log);
  return key;
}

async function isStored(client: Client, purpose: string): Promise<boolean> {
  return (await client.query('select 1 from installation_keys where purpose = $1', [purpose])).rows.length > 0;
}

function unseal(open: () => Buffer, title: string): string {
  try {
    return open().toString('utf8');
  } catch {
    throw new StartupError(`The ${title} in the database (table installation_keys) is damaged. Restore that row from a backup.`);
  }
}

function readKeyFile<Key>({ parse, title }: SharedKind<Key>, path: string): Key {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch {
    throw new StartupError(`${path} no longer contains the ${title}. Restore it from a backup.`);
  }
}

/** A file of an earlier version is not used any more; say so where it contains another key, which this process once used. */
function compareFile<Key>(kind: SharedKind<Key>, path: string, key: Key, log: Log): void {
  if (!existsSync(path)) return;
  const [used, found] = [kind.idOf(key), kind.idOf(readKeyFile(kind, path))];
  if (found !== used)
    log.warn(
      { file: path, found, used },
      `The file contains another ${kind.title} than the database. It is not used; keep it to check what it signed.`,
    );
}

/** In a database older than the stored fingerprint, signed checkpoints show that there was a key. */
function hasCheckpoints(dataDir: string): boolean {
  const folder = join(dataDir, 'audit');
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('checkpoints-'));
}

function otherAuditKey(what: string, noted: string): StartupError {
  return new StartupError(
    `${what}: the logs of this database are signed with the audit key of fingerprint ${noted}. HIGHLINE_DATA_DIR may point to a wrong or an empty folder; correct it, or restore the file from a backup. If that key is lost for good, run as the owner of the database: delete from installation where key = 'audit_key'; delete from installation_keys where purpose = 'audit'; the next start generates a new one, and earlier log exports are verified with the old public key.`,
  );
}

/** Derived for this purpose only: it shows whether two keys are equal and reveals nothing else. */
export function masterKeyCheck(masterKey: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'highline master key check', 16)).toString('hex');
}

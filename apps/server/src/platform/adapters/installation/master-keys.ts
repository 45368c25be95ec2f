import type { Client } from 'pg';
import { StartupError } from '../../settings/settings-file.ts';
import type { Settings } from '../../settings/settings.ts';
import { findFact, firstOf, RESTORING, ROTATING } from './facts.ts';
import { type ProcessKeys, createProcessKeys, masterKeyCheck } from './keys.ts';

/**
 * Compare the master keys of this start with the one that the database was filled with, and record it at the first start. Nothing
 * may be sealed with the key of another database. During a rotation a process needs both keys, since values of both are in the database.
 * @throws StartupError when the one in use is missing, or while a restore is incomplete
 */
export async function openMasterKeys(
  client: Client,
  { masterKey, previousMasterKey }: Pick<Settings, 'masterKey' | 'previousMasterKey'>,
): Promise<ProcessKeys> {
  if ((await findFact(client, RESTORING)) !== undefined)
    throw new StartupError('A restore into this database did not end. Run `highline restore` again.');
  const known = [masterKey, ...(previousMasterKey === undefined ? [] : [previousMasterKey])];
  const { find } = createProcessKeys(masterKey, known);
  const inUse = find(await firstOf(client, 'master_key_check', masterKeyCheck(masterKey)));
  const coming = await findFact(client, ROTATING);
  if (coming !== undefined) {
    const next = find(coming);
    if (next === undefined || inUse === undefined)
      throw new StartupError(
        'The master key is being replaced, so values of both keys are in the database. Set HIGHLINE_MASTER_KEY to the new key and HIGHLINE_MASTER_KEY_PREVIOUS to the one before. If `highline key rotate` was interrupted, run it again.',
      );
    return createProcessKeys(next, known);
  }
  if (inUse === undefined)
    throw new StartupError(
      `HIGHLINE_MASTER_KEY${previousMasterKey === undefined ? ' is not' : ' and HIGHLINE_MASTER_KEY_PREVIOUS are not'} the key of this database: its config files, second factors and eSIM codes are sealed with another one and would be unreadable. Set the key that this installation was first started with, or the one that it was last rotated to.`,
    );
  return createProcessKeys(inUse, known);
}

import { createSealing, type MasterKey, type Sealing } from '../../kernel/index.ts';

/** Configurations have passwords and keys of vehicle networks: each is sealed for the id of its version. */
export function createBackupSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline router backups 1');
}

import { createSealing, type MasterKey, type Sealing } from '../../kernel/index.ts';

/** The secrets of a saved level are sealed for the id of its row. */
export function createSettingSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline router settings 1');
}

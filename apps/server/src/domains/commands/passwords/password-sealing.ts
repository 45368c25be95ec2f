import { createSealing, type MasterKey, type Sealing } from '../../../kernel/index.ts';

/** Each password is sealed for the id of the command that sets it. */
export function createRouterPasswordSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline router passwords 1');
}

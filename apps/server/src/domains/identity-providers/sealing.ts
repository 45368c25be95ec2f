import { createSealing, type MasterKey, type Sealing } from '../../kernel/index.ts';

/** Encrypts client secrets under the master key, each for its own provider. */
export function createProviderSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline identity providers');
}

/** Encrypts what a browser keeps during a sign-in. */
export function createFlowSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline sign-in by identity provider');
}

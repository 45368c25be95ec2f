import { createFolderBlobs } from '../platform/adapters/blobs/folder.ts';
import { demoSigningKey } from '../demo/signing-key.ts';
import { createSeal } from '../domains/configs/index.ts';
import { createCodeSeal } from '../domains/esims/index.ts';
import { createMailSealing } from '../domains/mails/index.ts';
import type { Sealing } from '../kernel/sealing.ts';
import { readSettings } from '../platform/settings/settings.ts';
import type { SeedingStores } from './seeding.ts';

export { demoSigningKey };

/** File stores and trusted signing key of a demo server on this data folder. */
export function storesOfDemo(dataDir: string): SeedingStores & { readonly mails: Sealing } {
  const { firmware, masterKey } = readSettings('demo', { HIGHLINE_DATA_DIR: dataDir });
  return {
    blobs: createFolderBlobs(firmware.folder),
    seal: createSeal(masterKey),
    codes: createCodeSeal(masterKey),
    signer: demoSigningKey(dataDir),
    mails: createMailSealing(masterKey),
  };
}

import { createSealing, type MasterKey } from '../../kernel/sealing.ts';

// Anyone with an activation code can download its profile: in the database, in a backup and in a replica it is encrypted under a
// key that is stored elsewhere.

const PURPOSE = 'highline eSIM activation codes 1';
const CONFIRMATION_PURPOSE = 'highline eSIM confirmation codes 1';

interface Seal {
  seal(profileId: string, code: string): Buffer;
  /** @throws DomainError `secret.unreadable` when the bytes were changed, moved to another profile, or encrypted under another master key */
  open(profileId: string, sealed: Uint8Array): string;
}

/** Encrypts activation codes, each for its profile. */
export interface CodeSeal extends Seal {
  /** The same for the confirmation codes that some of them need; neither can be used as the other. */
  readonly confirmation: Seal;
}

/** @param masterKey 32 bytes; the encryption keys are derived from it, each with its own label */
export function createCodeSeal(masterKey: MasterKey): CodeSeal {
  return { ...createSeal(masterKey, PURPOSE), confirmation: createSeal(masterKey, CONFIRMATION_PURPOSE) };
}

function createSeal(masterKey: MasterKey, purpose: string): Seal {
  const sealing = createSealing(masterKey, purpose);
  return {
    seal: (profileId, code) => sealing.seal(profileId, Buffer.from(code, 'utf8')),
    open: (profileId, sealed) => sealing.open(profileId, sealed).toString('utf8'),
  };
}

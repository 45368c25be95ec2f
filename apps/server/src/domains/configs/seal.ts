import { createSealing, type MasterKey } from '../../kernel/sealing.ts';

// Config files contain passwords and keys of vehicle networks. In the database, in a backup and in a replica they are encrypted
// under a key that is stored elsewhere.

const PURPOSE = 'highline config files 1';

/** Identifies the contents as additional authenticated data: contents moved to another row cannot be decrypted there. */
export interface SealContext {
  readonly organizationId: string;
  readonly configId: string;
  /** Number of the version. */
  readonly number: number;
}

/** Encrypts the contents of config files. */
export interface Seal {
  seal(context: SealContext, contents: Uint8Array): Buffer;
  /** @throws DomainError `secret.unreadable` when the bytes were changed, moved, or encrypted under another master key */
  open(context: SealContext, sealed: Uint8Array): Buffer;
}

/** @param masterKey 32 bytes; the encryption key is derived from it, with a label used for nothing else */
export function createSeal(masterKey: MasterKey): Seal {
  const sealing = createSealing(masterKey, PURPOSE);
  return {
    seal: (context, contents) => sealing.seal(textOf(context), contents),
    open: (context, sealed) => sealing.open(textOf(context), sealed),
  };
}

const textOf = ({ organizationId, configId, number }: SealContext) => `${organizationId}/${configId}/${number}`;

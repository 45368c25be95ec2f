import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { DomainError } from './failure.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM: nonce, ciphertext, tag. `context` identifies the contents and is authenticated; moved elsewhere they cannot be
 * opened.
 */
export interface Sealing {
  seal(context: string, contents: Uint8Array): Buffer;
  /** @throws DomainError `secret.unreadable` when the bytes were changed, moved, or sealed with another master key or for another purpose */
  open(context: string, sealed: Uint8Array): Buffer;
}

/** The master keys that a process knows: one, or two while one replaces the other. */
export interface Keyring {
  /** Seals; another one takes its place during a rotation. */
  readonly active: KeyObject;
  /** What any of them sealed can be opened. */
  readonly known: readonly KeyObject[];
}

/** @returns undefined when what it opens cannot be opened with the master key */
export function openedOrNone<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof DomainError && error.key === 'secret.unreadable') return undefined;
    throw error;
  }
}

/** What sealing keys are derived from. */
export type MasterKey = KeyObject | Keyring;

export const isKeyring = (masterKey: MasterKey): masterKey is Keyring => 'active' in masterKey;

/**
 * Derive something from a master key, once for each key.
 * @returns what belongs to the active key, and to all of them with the active one first
 */
export function derivedFrom<T>(masterKey: MasterKey, derive: (key: KeyObject) => T): { active(): T; all(): T[] } {
  if (!isKeyring(masterKey)) {
    const only = derive(masterKey);
    return { active: () => only, all: () => [only] };
  }
  const derived = new Map(masterKey.known.map((key) => [key, derive(key)]));
  const active = () => derived.get(masterKey.active)!;
  return { active, all: () => [active(), ...[...derived.values()].filter((one) => one !== active())] };
}

/** @param masterKey 32 bytes; the sealing key is derived from it for this purpose only */
export function createSealing(masterKey: MasterKey, purpose: string): Sealing {
  const sealings = derivedFrom(masterKey, (key) => sealingWith(key, purpose));
  return {
    seal: (context, contents) => sealings.active().seal(context, contents),
    open(context, sealed) {
      for (const each of sealings.all()) {
        try {
          return each.open(context, sealed);
        } catch {
          // Another key may open it.
        }
      }
      throw new DomainError('secret.unreadable');
    },
  };
}

function sealingWith(masterKey: KeyObject, purpose: string): Sealing {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), purpose, 32));
  return {
    seal(context, contents) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context, 'utf8'));
      return Buffer.concat([nonce, cipher.update(contents), cipher.final(), cipher.getAuthTag()]);
    },
    open(context, sealed) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('Invalid sealed content.');
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context, 'utf8'));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}

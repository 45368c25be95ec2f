import { createPublicKey, type KeyObject } from 'node:crypto';
import { fingerprintOf, parsePrivateKey } from '@highline/image';

/** The installation's key for log exports and checkpoints. */
export interface AuditKey {
  readonly privateKey: KeyObject;
  /** PEM; a verifier needs nothing else. */
  readonly publicPem: string;
  /** Hex of the SHA-256 of the public key (SPKI, DER). */
  readonly id: string;
}

/** @param pem an Ed25519 private key @throws TypeError for anything else */
export function auditKeyOf(pem: string): AuditKey {
  const privateKey = parsePrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  return {
    privateKey,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    id: fingerprintOf(publicKey),
  };
}

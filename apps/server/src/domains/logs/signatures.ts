import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { fingerprintOf } from '@highline/image';
import type { Checkpoint } from '../../platform/ports/checkpoints.ts';
import { canonicalJson } from './audit.ts';

// Signed statements of the server about a log. The purpose is part of the signed text, so that a checkpoint cannot be used as a
// cut: a checkpoint states what existed, a cut that removing it was correct.

const CHECKPOINT = 'highline audit checkpoint, version 1\0';
const CUT = 'highline audit cut, version 1\0';

/** Sign that a log contained this entry. @param privateKey Ed25519 */
export function signCheckpoint(chain: string, seq: number, hash: Buffer, now: Date, privateKey: KeyObject): Checkpoint {
  return signed(CHECKPOINT, { chain, seq, hash: hash.toString('hex'), at: now.toISOString() }, privateKey);
}

/** Signs checkpoints and names the key in each. @param privateKey Ed25519 */
export function createCheckpointSigner(privateKey: KeyObject) {
  const key = fingerprintOf(createPublicKey(privateKey));
  return (chain: string, seq: number, hash: Buffer, now: Date): Checkpoint => ({
    ...signCheckpoint(chain, seq, hash, now, privateKey),
    key,
  });
}

/** Whether the signature of a checkpoint is valid. */
export function isGenuine(checkpoint: Checkpoint, publicKey: KeyObject): boolean {
  return isSigned(CHECKPOINT, checkpoint, publicKey);
}

/** Sign that retention removed a log's entries up to this one. The same fields as a checkpoint's. @param privateKey Ed25519 */
export function signCut(chain: string, seq: number, hash: Buffer, now: Date, privateKey: KeyObject): Checkpoint {
  return signed(CUT, { chain, seq, hash: hash.toString('hex'), at: now.toISOString() }, privateKey);
}

/** Whether the signature of a cut is valid. */
export function isGenuineCut(cut: Checkpoint, publicKey: KeyObject): boolean {
  return isSigned(CUT, cut, publicKey);
}

/** What a signature covers. */
type Signed = Omit<Checkpoint, 'signature' | 'key'>;

function signed(purpose: string, content: Signed, privateKey: KeyObject): Checkpoint {
  return { ...content, signature: sign(null, bytesOf(purpose, content), privateKey).toString('base64') };
}

function isSigned(purpose: string, { chain, seq, hash, at, signature }: Checkpoint, publicKey: KeyObject): boolean {
  return verify(null, bytesOf(purpose, { chain, seq, hash, at }), publicKey, Buffer.from(signature, 'base64'));
}

function bytesOf(purpose: string, content: Signed): Buffer {
  return Buffer.from(purpose + canonicalJson(content));
}

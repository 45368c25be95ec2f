import { sign, verify, type KeyObject } from 'node:crypto';
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

function signed(purpose: string, content: Omit<Checkpoint, 'signature'>, privateKey: KeyObject): Checkpoint {
  return { ...content, signature: sign(null, bytesOf(purpose, content), privateKey).toString('base64') };
}

function isSigned(purpose: string, { signature, ...content }: Checkpoint, publicKey: KeyObject): boolean {
  return verify(null, bytesOf(purpose, content), publicKey, Buffer.from(signature, 'base64'));
}

function bytesOf(purpose: string, content: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(purpose + canonicalJson(content));
}

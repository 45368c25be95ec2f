import { sign, verify, type KeyObject } from 'node:crypto';
import type { Checkpoint } from '../../ports/checkpoints.ts';
import { canonicalJson } from './audit.ts';

// What the server says of a log under its key. The purpose is part of what is signed, so that a checkpoint cannot pass for a cut: the
// one says what was there, the other that it was right to remove it.

const CHECKPOINT = 'highline audit checkpoint, version 1\0';
const CUT = 'highline audit cut, version 1\0';

/** Says that a log held this entry. @param privateKey Ed25519 */
export function signCheckpoint(chain: string, seq: number, hash: Buffer, now: Date, privateKey: KeyObject): Checkpoint {
  return signed(CHECKPOINT, { chain, seq, hash: hash.toString('hex'), at: now.toISOString() }, privateKey);
}

/** True when a checkpoint is as it was signed. */
export function isGenuine(checkpoint: Checkpoint, publicKey: KeyObject): boolean {
  return isSigned(CHECKPOINT, checkpoint, publicKey);
}

/** Says that retention removed a log's entries up to this one. The same fields as a checkpoint's. @param privateKey Ed25519 */
export function signCut(chain: string, seq: number, hash: Buffer, now: Date, privateKey: KeyObject): Checkpoint {
  return signed(CUT, { chain, seq, hash: hash.toString('hex'), at: now.toISOString() }, privateKey);
}

/** True when a cut is as it was signed. */
export function isGenuineCut(cut: Checkpoint, publicKey: KeyObject): boolean {
  return isSigned(CUT, cut, publicKey);
}

function signed(purpose: string, told: Omit<Checkpoint, 'signature'>, privateKey: KeyObject): Checkpoint {
  return { ...told, signature: sign(null, bytesOf(purpose, told), privateKey).toString('base64') };
}

function isSigned(purpose: string, { signature, ...told }: Checkpoint, publicKey: KeyObject): boolean {
  return verify(null, bytesOf(purpose, told), publicKey, Buffer.from(signature, 'base64'));
}

function bytesOf(purpose: string, told: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(purpose + canonicalJson(told));
}

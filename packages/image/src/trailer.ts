import { sign, verify, type KeyObject } from 'node:crypto';
import { fingerprintOf } from './keys.ts';

// File format: payload ‖ manifest ‖ signature (64) ‖ length of the manifest (u32, big-endian) ‖ magic (8). It is read from its
// end, so the payload starts at offset 0 and can be written to flash while it arrives.

const MAGIC = Buffer.from('HLIMAGE1', 'latin1');
const SIGNATURE_BYTES = 64;
const FIXED_BYTES = SIGNATURE_BYTES + 4 + MAGIC.length;
/** Domain separation: a signature for another purpose is never valid for an image. */
const PURPOSE = Buffer.from('highline firmware image, version 1\0', 'latin1');

/** Maximum trailer size; a reader needs at most this many bytes from the end of the file. */
export const MAX_TRAILER_BYTES = 4_096;

/** The target of an image. */
export interface Manifest {
  /** As routers report it. */
  readonly model: string;
  readonly version: string;
  /** Routers that have run this image install no older version than this one from then on; undefined = any. */
  readonly oldest?: string | undefined;
  /** Bytes before the trailer. */
  readonly payloadSize: number;
}

/** A parsed trailer; its signature is not verified yet. */
export interface Trailer {
  readonly manifest: Manifest;
  /** Bytes of the trailer; the payload precedes it. */
  readonly size: number;
  /** Exactly what was signed. */
  readonly manifestBytes: Uint8Array;
  readonly signature: Uint8Array;
}

export interface SealOptions extends Manifest {
  /** 32 bytes. */
  readonly payloadSha256: Uint8Array;
  readonly privateKey: KeyObject;
}

/**
 * The bytes to append to a payload.
 * @throws RangeError for a manifest that cannot be read back: empty or too long texts, control characters, a size below 1
 */
export function sealTrailer({ model, version, oldest, payloadSize, payloadSha256, privateKey }: SealOptions): Uint8Array {
  const manifest: Manifest = { model, version, oldest, payloadSize };
  const manifestBytes = Buffer.from(JSON.stringify(manifest), 'utf8');
  if (readManifest(manifestBytes) === undefined || manifestBytes.length + FIXED_BYTES > MAX_TRAILER_BYTES)
    throw new RangeError('Invalid model, version or size.');
  const signature = sign(null, statement(payloadSha256, manifestBytes), privateKey);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(manifestBytes.length);
  return Buffer.concat([manifestBytes, signature, length, MAGIC]);
}

/**
 * Find the trailer at the end of a file.
 * @param tail the last bytes of the file, MAX_TRAILER_BYTES of them or the whole file
 * @param fileSize bytes of the whole file
 * @returns 'absent' when the file does not end in one, 'damaged' when it does but part of the file is missing or wrong
 */
export function readTrailer(tail: Uint8Array, fileSize: number): Trailer | 'absent' | 'damaged' {
  const bytes = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
  if (bytes.length < FIXED_BYTES || !bytes.subarray(-MAGIC.length).equals(MAGIC)) return 'absent';
  const manifestEnd = bytes.length - FIXED_BYTES;
  const length = bytes.readUInt32BE(bytes.length - MAGIC.length - 4);
  if (length > manifestEnd) return 'damaged';
  const manifestBytes = bytes.subarray(manifestEnd - length, manifestEnd);
  const manifest = readManifest(manifestBytes);
  const size = length + FIXED_BYTES;
  if (manifest === undefined || manifest.payloadSize + size !== fileSize) return 'damaged';
  return { manifest, size, manifestBytes, signature: bytes.subarray(manifestEnd, manifestEnd + SIGNATURE_BYTES) };
}

/**
 * Find the key that signed this image.
 * @param payloadSha256 of the bytes before the trailer, 32 bytes
 * @returns the fingerprint of the key, or undefined when it is none of these or something was changed
 */
export function verifyTrailer(trailer: Trailer, payloadSha256: Uint8Array, publicKeys: readonly KeyObject[]): string | undefined {
  const signed = statement(payloadSha256, trailer.manifestBytes);
  const key = publicKeys.find((candidate) => verify(null, signed, candidate, trailer.signature));
  return key === undefined ? undefined : fingerprintOf(key);
}

function statement(payloadSha256: Uint8Array, manifestBytes: Uint8Array): Buffer {
  if (payloadSha256.length !== 32) throw new RangeError('A SHA-256 has 32 bytes.');
  return Buffer.concat([PURPOSE, payloadSha256, manifestBytes]);
}

function readManifest(bytes: Uint8Array): Manifest | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  return isManifest(parsed) ? parsed : undefined;
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { model, version, oldest, payloadSize } = value as Record<string, unknown>;
  if (oldest !== undefined && !isLine(oldest, 100)) return false;
  return isLine(model, 60) && isLine(version, 100) && Number.isSafeInteger(payloadSize) && (payloadSize as number) > 0;
}

function isLine(value: unknown, characters: number): boolean {
  return typeof value === 'string' && value.isWellFormed() && /^[^\p{Cc}]+$/u.test(value) && value.length <= characters;
}

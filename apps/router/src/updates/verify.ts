import { MAX_TRAILER_BYTES, readTrailer, verifyTrailer } from '@highline/image';
import type { KeyObject } from 'node:crypto';
import type { Job, Slot } from '../state/state.ts';
import { UpdateFault } from './download.ts';
import type { ImageDigest } from './image-digest.ts';

/** @throws UpdateFault when what lies in flash is not what was announced */
export function assertWhole(digest: ImageDigest, { size, sha256 }: Pick<Job, 'size' | 'sha256'>): void {
  if (digest.size !== size) throw new UpdateFault(`verification-failed: ${digest.size} bytes instead of ${size}`);
  if (digest.sha256() !== sha256) throw new UpdateFault('verification-failed: the SHA-256 is another one');
}

/**
 * What a firmware image is, once it is trusted. Without keys the SHA-256 alone was checked, as on routers that know no signatures.
 * @throws UpdateFault for an image that carries no signature of a trusted key, or is for another model
 */
export function readImage(digest: ImageDigest, trustedKeys: readonly KeyObject[], model: string): Slot {
  const trailer = readTrailer(digest.tail.subarray(-MAX_TRAILER_BYTES), digest.size);
  const parsed = typeof trailer === 'string' ? undefined : trailer;
  if (trustedKeys.length > 0) {
    const signedBy = parsed && verifyTrailer(parsed, digest.payloadSha256(parsed.size), trustedKeys);
    if (signedBy === undefined)
      throw new UpdateFault('verification-failed: the signature is not by a key that this router trusts');
  }
  if (parsed && parsed.manifest.model !== model) throw new UpdateFault(`wrong-model: the image is for ${parsed.manifest.model}`);
  const { fault, reports } = simulatedFault(digest.head);
  const version = reports ?? parsed?.manifest.version ?? `sha256-${digest.sha256().slice(0, 12)}`;
  return { version, status: 'Available', fault };
}

/**
 * Simulated firmware runs nothing; one that begins with such a line is bad in the way it says, so that tests can brick a router:
 * `highline-simulation: never-connects`, `highline-simulation: crashes`, `highline-simulation: reports 1.2.3`.
 */
function simulatedFault(head: Buffer): { fault: Slot['fault']; reports: string | undefined } {
  const line = /^highline-simulation: ([^\n]{1,100})\n/u.exec(head.toString('latin1'))?.[1] ?? '';
  const fault = line === 'never-connects' || line === 'crashes' ? line : '';
  return { fault, reports: /^reports (\S{1,60})$/u.exec(line)?.[1] };
}

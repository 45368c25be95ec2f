import { isOlderVersion, MAX_TRAILER_BYTES, readTrailer, verifyTrailer } from '@highline/image';
import type { KeyObject } from 'node:crypto';
import type { Job, Slot } from '../state/state.ts';
import { UpdateFault } from './download.ts';
import type { ImageDigest } from './image-digest.ts';

/** @throws UpdateFault when the flash content differs from the announced file */
export function assertWhole(digest: ImageDigest, { size, sha256 }: Pick<Job, 'size' | 'sha256'>): void {
  if (digest.size !== size) throw new UpdateFault(`verification-failed: ${digest.size} bytes instead of ${size}`);
  if (digest.sha256() !== sha256) throw new UpdateFault('verification-failed: the SHA-256 differs');
}

/**
 * The manifest of a trusted firmware image. Without keys only the SHA-256 was checked, as on routers without signatures.
 * @param oldest the oldest version that may be installed, as signed images that have run say; an older one may have known faults, and its
 * signature is still valid
 * @throws UpdateFault for an image without a signature of a trusted key, for another model, or of a version that is too old
 */
export function readImage(
  digest: ImageDigest,
  trustedKeys: readonly KeyObject[],
  { model, oldest }: { readonly model: string; readonly oldest: string | undefined },
): Slot {
  const trailer = readTrailer(digest.tail.subarray(-MAX_TRAILER_BYTES), digest.size);
  const parsed = typeof trailer === 'string' ? undefined : trailer;
  if (trustedKeys.length > 0) {
    const signedBy = parsed && verifyTrailer(parsed, digest.payloadSha256(parsed.size), trustedKeys);
    if (signedBy === undefined)
      throw new UpdateFault('verification-failed: the signature is not by a key that this router trusts');
  }
  if (parsed && parsed.manifest.model !== model) throw new UpdateFault(`wrong-model: the image is for ${parsed.manifest.model}`);
  if (parsed && oldest !== undefined && isOlderVersion(parsed.manifest.version, oldest))
    throw new UpdateFault(
      `verification-failed: version ${parsed.manifest.version} is older than ${oldest}, the oldest that may be installed`,
    );
  const { fault, reports } = simulatedFault(digest.head);
  const version = reports ?? parsed?.manifest.version ?? `sha256-${digest.sha256().slice(0, 12)}`;
  const next = trustedKeys.length > 0 ? parsed?.manifest.oldest : undefined;
  return { version, status: 'Available', fault, ...(next === undefined ? {} : { oldest: next }) };
}

/**
 * Simulated firmware runs nothing; one that begins with such a line is faulty, so that tests can brick a router:
 * `highline-simulation: never-connects`, `highline-simulation: crashes`, `highline-simulation: reports 1.2.3`.
 */
function simulatedFault(head: Buffer): { fault: Slot['fault']; reports: string | undefined } {
  const line = /^highline-simulation: ([^\n]{1,100})\n/u.exec(head.toString('latin1'))?.[1] ?? '';
  const fault = line === 'never-connects' || line === 'crashes' ? line : '';
  return { fault, reports: /^reports (\S{1,60})$/u.exec(line)?.[1] };
}

import type { KeyObject } from 'node:crypto';
import { verifyTrailer, type Trailer } from '@highline/image';
import { DomainError } from '../../kernel/failure.ts';
import { hashStart, readTrailerOf } from '../../platform/files/image-file.ts';

export interface InspectedImage {
  readonly path: string;
  readonly bytes: number;
}

export interface Claim {
  readonly version: string;
  readonly profile: string;
  /** Whether an image without our trailer is accepted, for routers of other makers. */
  readonly unsigned: boolean;
}

/**
 * Check an image before it is accepted: complete, signed by a trusted key, for the declared model and version.
 * @returns fingerprint of the key, or null for an image without our trailer
 * @throws DomainError `firmware.truncated`, `firmware.unsigned`, `firmware.bad_signature`, `firmware.mismatch`
 */
export async function inspectImage(file: InspectedImage, claim: Claim, publicKeys: readonly KeyObject[]): Promise<string | null> {
  const trailer = await readTrailerOf(file.path, file.bytes);
  if (trailer === 'damaged') throw new DomainError('firmware.truncated', { field: 'file' });
  if (trailer === 'absent') {
    if (claim.unsigned) return null;
    throw new DomainError('firmware.unsigned', { field: 'file' });
  }
  const signedBy = verifyTrailer(trailer, await hashStart(file.path, trailer.manifest.payloadSize), publicKeys);
  if (signedBy === undefined) throw new DomainError('firmware.bad_signature', { field: 'file' });
  rejectMismatch(trailer, claim);
  return signedBy;
}

function rejectMismatch({ manifest: { model, version } }: Trailer, claim: Claim): void {
  if (model === claim.profile && version === claim.version) return;
  throw new DomainError('firmware.mismatch', {
    message: `The image was signed for version ${version} of model ${model}.`,
    field: model === claim.profile ? 'version' : 'profile',
    detail: { model, version },
  });
}

import type { BlobStore } from '../../ports/blobs.ts';

/** A store of files with the number of its failed calls since the start. */
export function countFaults(blobs: BlobStore): { readonly blobs: BlobStore; faults(): number } {
  let faults = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      faults += 1;
      throw error;
    }
  };
  return {
    faults: () => faults,
    blobs: {
      location: blobs.location,
      write: (content, maxBytes) => counted(blobs.write(content, maxBytes)),
      open: (sha256, range) => counted(blobs.open(sha256, range)),
      has: (sha256) => counted(blobs.has(sha256)),
      publicUrl: (sha256) => counted(blobs.publicUrl(sha256)),
      delete: (sha256) => counted(blobs.delete(sha256)),
      sweep: (before, isKept) => counted(blobs.sweep(before, isKept)),
    },
  };
}

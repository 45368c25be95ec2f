import { firstOf, lengthOf } from '@highline/contract';

const LONGEST = 30;
const CUT = 27;
const KB = 1024;

/** A version in full up to 30 characters, else its first 27 and an ellipsis (FWR-01). */
export function cutVersion(version: string): string {
  return lengthOf(version) > LONGEST ? `${firstOf(version, CUT)}…` : version;
}

/** Bytes as KB, above 1024 KB as MB, with two decimals; '--' when unknown (FWR-01). */
export function formatSize(bytes: number | undefined): string {
  if (bytes === undefined || !Number.isFinite(bytes) || bytes <= 0) return '--';
  const kilobytes = bytes / KB;
  return kilobytes > KB ? `${(kilobytes / KB).toFixed(2)} MB` : `${kilobytes.toFixed(2)} KB`;
}

/** Release notes line by line: a literal \n is a line break (FWR-01). */
export function noteLines(note: string): readonly string[] {
  return note.split(/\\n|\r?\n/u);
}

const MAGIC = 'HLIMAGE1';
const FIXED_BYTES = 64 + 4 + MAGIC.length;
const TRAILER_BYTES = 4_096;

/** The version and model in the footer of a signed image; undefined for a file without one. The server verifies the signature. */
export async function readManifest(file: Blob): Promise<{ model: string; version: string } | undefined> {
  const tail = new Uint8Array(await file.slice(-TRAILER_BYTES).arrayBuffer());
  const text = new TextDecoder();
  if (tail.length < FIXED_BYTES || text.decode(tail.subarray(-MAGIC.length)) !== MAGIC) return undefined;
  const length = new DataView(tail.buffer).getUint32(tail.length - MAGIC.length - 4);
  const end = tail.length - FIXED_BYTES;
  if (length > end) return undefined;
  try {
    const { model, version } = JSON.parse(text.decode(tail.subarray(end - length, end))) as Record<string, unknown>;
    return typeof model === 'string' && typeof version === 'string' ? { model, version } : undefined;
  } catch {
    return undefined;
  }
}

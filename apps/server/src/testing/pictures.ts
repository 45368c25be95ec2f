/** The first bytes of every PNG file. */
const SIGN = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A fake PNG file with the right first bytes and an identifying text. */
export function pngOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...SIGN, ...new TextEncoder().encode(text)]);
}

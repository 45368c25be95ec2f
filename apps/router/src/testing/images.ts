import { createHash, randomBytes } from 'node:crypto';
import { generateKeyPair, parsePrivateKey, sealTrailer } from '@highline/image';

export const keys = generateKeyPair();
export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A signed image; `line` makes simulated firmware faulty. */
export function imageOf({
  version = '3.0.0',
  model = 'HL-500',
  line = '',
  size = 200_000,
  oldest = undefined as string | undefined,
  privateKey = keys.privateKey,
} = {}): Buffer {
  const payload = Buffer.concat([Buffer.from(line === '' ? '' : `highline-simulation: ${line}\n`), randomBytes(size)]);
  const payloadSha256 = createHash('sha256').update(payload).digest();
  const trailer = sealTrailer({
    model,
    version,
    oldest,
    payloadSize: payload.length,
    payloadSha256,
    privateKey: parsePrivateKey(privateKey),
  });
  return Buffer.concat([payload, trailer]);
}

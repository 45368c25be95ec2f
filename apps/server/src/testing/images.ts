import { createHash, randomBytes, type KeyObject } from 'node:crypto';
import { generateKeyPair, parsePrivateKey, parsePublicKey, sealTrailer } from '@highline/image';

/** A separate key pair for one test. */
export interface Signer {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function createSigner(): Signer {
  const pair = generateKeyPair();
  return { privateKey: parsePrivateKey(pair.privateKey), publicKey: parsePublicKey(pair.publicKey) };
}

export interface TestImage {
  readonly model: string;
  readonly version: string;
  /** Default: some random bytes. */
  readonly payload?: Uint8Array;
}

/** A signed image. */
export function imageOf({ privateKey }: Signer, image: TestImage): Buffer<ArrayBuffer> {
  const { model, version, payload = randomBytes(1_000) } = image;
  const payloadSha256 = createHash('sha256').update(payload).digest();
  return Buffer.concat([payload, sealTrailer({ model, version, payloadSize: payload.length, payloadSha256, privateKey })]);
}

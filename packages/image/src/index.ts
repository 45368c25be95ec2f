export { fingerprintOf, generateKeyPair, parsePrivateKey, parsePublicKey, parsePublicKeys } from './keys.ts';
export {
  MAX_TRAILER_BYTES,
  readTrailer,
  sealTrailer,
  verifyTrailer,
  type Manifest,
  type SealOptions,
  type Trailer,
} from './trailer.ts';
export { isOlderVersion, plainVersion } from './version.ts';

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A new Ed25519 pair as PEM: the private key as PKCS #8, the public one as SPKI. */
export function generateKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** @throws TypeError when the text is not an Ed25519 private key in PEM */
export function parsePrivateKey(pem: string): KeyObject {
  return edwards(() => createPrivateKey(pem), 'an Ed25519 private key');
}

/**
 * @param pem the key itself; a private key is rejected, so that none is stored in place of a public one
 * @throws TypeError when the text is not an Ed25519 public key in PEM
 */
export function parsePublicKey(pem: string): KeyObject {
  // Node would silently derive the public half of a private key.
  if (pem.includes('PRIVATE KEY')) throw new TypeError('This is a private key; use its public half.');
  return edwards(() => createPublicKey(pem), 'an Ed25519 public key');
}

/** Every public key of a PEM file, in order. @throws TypeError when there is none, or one is invalid */
export function parsePublicKeys(pems: string): KeyObject[] {
  if (pems.includes('PRIVATE KEY')) return [parsePublicKey(pems)];
  const blocks = pems.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/gu);
  if (blocks === null) throw new TypeError('This contains no Ed25519 public key in PEM.');
  return blocks.map((block) => parsePublicKey(block));
}

/** Display name of a key: lower-case hex of the SHA-256 of its SPKI form. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function edwards(parse: () => KeyObject, what: string): KeyObject {
  let key: KeyObject;
  try {
    key = parse();
  } catch (cause) {
    throw new TypeError(`This is not ${what} in PEM.`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError(`This is not ${what} in PEM.`);
  return key;
}

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fingerprintOf, generateKeyPair, parsePrivateKey, parsePublicKey, parsePublicKeys } from './keys.ts';

describe('signing keys', () => {
  test('FWR-02-partial a pair is read back from PEM, and both halves have one fingerprint', () => {
    const { privateKey, publicKey } = generateKeyPair();
    expect(parsePrivateKey(privateKey).asymmetricKeyType).toBe('ed25519');
    expect(fingerprintOf(parsePublicKey(publicKey))).toMatch(/^[0-9a-f]{64}$/u);
  });

  test('FWR-02-partial a file of several public keys gives all of them in order', () => {
    const pems = [generateKeyPair().publicKey, generateKeyPair().publicKey];
    expect(parsePublicKeys(`# ours\n${pems.join('\n')}`).map(fingerprintOf)).toEqual(
      pems.map((pem) => fingerprintOf(parsePublicKey(pem))),
    );
  });

  test('FWR-02-partial a private key is rejected where a public one is expected', () => {
    const { privateKey } = generateKeyPair();
    expect(() => parsePublicKey(privateKey)).toThrow(/private key/u);
    expect(() => parsePublicKeys(privateKey)).toThrow(/private key/u);
  });

  test('FWR-02-partial keys of another kind and other texts are rejected', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(() => parsePublicKey(rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString())).toThrow(TypeError);
    expect(() => parsePrivateKey(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow(TypeError);
    expect(() => parsePublicKeys('no key')).toThrow(TypeError);
    expect(() => parsePrivateKey('')).toThrow(TypeError);
  });
});

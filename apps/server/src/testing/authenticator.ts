import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { passkeys } from '@highline/contract';

// An authenticator in software: it makes one passkey, and signs whatever a test wants it to (WebAuthn Level 3, 6).

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (bytes: Buffer) => bytes.toString('base64url');

/** What a test makes different from what the server expects. */
export interface Signing {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly counter?: number;
  readonly isVerified?: boolean;
  readonly userHandle?: string;
  /** Within a page of another site. */
  readonly crossOrigin?: boolean;
}

export interface Authenticator {
  readonly credentialId: string;
  /** The answer to options for a new passkey. */
  attest(challenge: string, signing?: Signing): passkeys.Attestation;
  /** The answer to options for a sign-in. */
  assert(challenge: string, signing?: Signing): passkeys.Assertion;
}

/** @param origin of the console that it is used on */
export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const named = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const, clientExtensionResults: {} };
  const dataOf = ({ rpId = new URL(origin).hostname, counter = 0, isVerified = true }: Signing, more = 0) => {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more]), counted]);
  };
  const clientData = (challenge: string, type: string, signing: Signing) =>
    Buffer.from(
      JSON.stringify({
        type: signing.type ?? type,
        challenge,
        origin: signing.origin ?? origin,
        crossOrigin: signing.crossOrigin ?? false,
      }),
    );
  return {
    credentialId: named.id,
    attest(challenge, signing = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const authData = Buffer.concat([dataOf(signing, ATTESTED), Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const attestationObject = cborMap([
        [text('fmt'), text('none')],
        [text('attStmt'), cborMap([])],
        [text('authData'), bytes(authData)],
      ]);
      const clientDataJSON = base64url(clientData(challenge, 'webauthn.create', signing));
      return {
        ...named,
        response: { clientDataJSON, attestationObject: base64url(attestationObject), transports: ['internal'] },
      };
    },
    assert(challenge, signing = {}) {
      const authenticatorData = dataOf(signing);
      const client = clientData(challenge, 'webauthn.get', signing);
      const signature = createSign('sha256')
        .update(Buffer.concat([authenticatorData, sha256(client)]))
        .sign(privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(signature),
          ...(signing.userHandle !== undefined && { userHandle: base64url(Buffer.from(signing.userHandle)) }),
        },
      };
    },
  };
}

/** An ES256 key as COSE (RFC 9053). */
function coseOf(publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' });
  return cborMap([
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), bytes(Buffer.from(x!, 'base64url'))],
    [int(-3), bytes(Buffer.from(y!, 'base64url'))],
  ]);
}

// The part of CBOR (RFC 8949) that this needs.
function head(major: number, length: number): Buffer {
  const kind = major << 5;
  if (length < 24) return Buffer.from([kind | length]);
  return length < 256 ? Buffer.from([kind | 24, length]) : Buffer.from([kind | 25, length >> 8, length & 0xff]);
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const cborMap = (pairs: readonly (readonly [Buffer, Buffer])[]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

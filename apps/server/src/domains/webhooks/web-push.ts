import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** What a browser gives the sender of its push messages: a public key and a shared secret, both base64url. */
export interface PushKeys {
  /** An uncompressed point of P-256. */
  readonly p256dh: string;
  /** 16 bytes. */
  readonly auth: string;
}

/** The key that identifies this installation to push services (VAPID, RFC 8292). */
export interface ServerPushKey {
  /** The public half as browsers take it: an uncompressed point, base64url. */
  readonly publicKey: string;
  /** @returns the header `authorization` of a call to this endpoint */
  authorize(endpoint: string, now: Date): string;
}

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const TAG_BYTES = 16;
/** Push services accept tokens of up to a day. */
const TOKEN_SECONDS = 43_200;
/** How long a token is sent: RFC 8292 lets one be used again, and a signature costs as much as half of the encryption. */
const SENT_SECONDS = 3_600;
/** Push services whose token is kept; there are a handful. */
const MOST_TOKENS = 100;
const RECORD_SIZE = 4_096;

/** Whether a browser sent keys that something can be encrypted for: a point of the curve, and a secret of 16 bytes. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== POINT_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false;
  const trial = createECDH(CURVE);
  trial.generateKeys();
  try {
    return trial.computeSecret(point).length > 0;
  } catch {
    return false;
  }
}

/** The pair of keys of an installation, the same in all of its processes. */
export interface PushKeyPair {
  /** An uncompressed point of P-256, base64url. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** The key of an installation for push services. @param subject address of those who run it */
export function createServerPushKey(pair: PushKeyPair, subject: () => string): ServerPushKey {
  const tokens = new Map<string, { readonly header: string; readonly until: number }>();
  return {
    publicKey: pair.publicKey,
    authorize(endpoint, now) {
      const [origin, seconds] = [new URL(endpoint).origin, Math.floor(now.getTime() / 1_000)];
      const claims = { aud: origin, exp: seconds + TOKEN_SECONDS, sub: subject() };
      const name = `${origin} ${claims.sub}`;
      const kept = tokens.get(name);
      if (kept !== undefined && kept.until > seconds) return kept.header;
      if (tokens.size >= MOST_TOKENS) tokens.clear();
      const header = signedToken(pair, claims);
      tokens.set(name, { header, until: seconds + SENT_SECONDS });
      return header;
    },
  };
}

function signedToken({ publicKey, privateKey }: PushKeyPair, claims: object): string {
  const unsigned = `${jsonPart({ typ: 'JWT', alg: 'ES256' })}.${jsonPart(claims)}`;
  const signature = sign('sha256', Buffer.from(unsigned), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${unsigned}.${signature.toString('base64url')}, k=${publicKey}`;
}

const jsonPart = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * The first private key of an installation, PEM. It follows from the master key, as in versions that did not store it: browsers stay
 * registered.
 */
export function derivePushKey(masterKey: KeyObject): string {
  const pair = createECDH(CURVE);
  // A number beyond the order of the curve is no key; of two in a row the chance is 2^-64.
  for (const attempt of [0, 1]) {
    try {
      pair.setPrivateKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `highline web push ${attempt}`, 32)));
      break;
    } catch (error) {
      if (attempt === 1) throw error;
    }
  }
  const point = pair.getPublicKey();
  const part = (from: number, until: number) => point.subarray(from, until).toString('base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: part(1, 33),
    y: part(33, 65),
    d: fixedLength(pair.getPrivateKey()).toString('base64url'),
  };
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** @throws Error when the text is no private key of P-256 */
export function pushKeyPairOf(pem: string): PushKeyPair {
  const privateKey = createPrivateKey(pem);
  const { crv, x = '', y = '' } = privateKey.export({ format: 'jwk' });
  if (crv !== 'P-256') throw new TypeError('This is not a private key of P-256.');
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { publicKey: point.toString('base64url'), privateKey };
}

/** Leading zeros are left out by `getPrivateKey`, and required by JWK. */
const fixedLength = (key: Buffer) => Buffer.concat([Buffer.alloc(32 - key.length), key]);

/** What a test fixes; drawn for each message otherwise. */
interface Drawn {
  readonly salt?: Buffer;
  readonly privateKey?: Buffer;
}

/**
 * Encrypt a message for one browser (RFC 8291, aes128gcm).
 * @throws Error for keys that `arePushKeys` rejects
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: PushKeys,
  { salt = randomBytes(16), privateKey }: Drawn = {},
): Buffer {
  const sender = createECDH(CURVE);
  if (privateKey === undefined) sender.generateKeys();
  else sender.setPrivateKey(privateKey);
  const [receiverPoint, ownPoint] = [Buffer.from(p256dh, 'base64url'), sender.getPublicKey()];
  const secret = sender.computeSecret(receiverPoint);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverPoint, ownPoint]);
  const input = Buffer.from(hkdfSync('sha256', secret, Buffer.from(auth, 'base64url'), info, 32));
  const derived = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${purpose}\0`, bytes));
  const cipher = createCipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12), { authTagLength: TAG_BYTES });
  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(RECORD_SIZE, 16);
  header.writeUInt8(ownPoint.length, 20);
  // 2 marks the last record; there is only one.
  const record = Buffer.concat([Buffer.from(text, 'utf8'), Buffer.from([2])]);
  return Buffer.concat([header, ownPoint, cipher.update(record), cipher.final(), cipher.getAuthTag()]);
}

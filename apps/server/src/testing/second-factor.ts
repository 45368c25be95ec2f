import { Secret, TOTP } from 'otpauth';

export const PEOPLES_PASSWORD = 'a long enough passphrase';
/** The secret of an authenticator app, shared by several users of a test. */
export const PEOPLES_SECRET = Buffer.from('a secret of 20 bytes');

/** The code that an app shows at a given time, from its secret as bytes or as its owner typed it. */
export function codeOf(secret: Buffer | string, at = new Date()): string {
  const known = typeof secret === 'string' ? Secret.fromBase32(secret) : new Secret({ buffer: new Uint8Array(secret).buffer });
  return new TOTP({ secret: known }).generate({ timestamp: at.getTime() });
}

import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

// Codes for any authenticator app (RFC 6238: SHA-1, six digits, 30 s), and recovery codes.

const PERIOD_SECONDS = 30;
/** Clocks differ, and typing a code takes time: the codes before and after are valid too. */
const WINDOW_STEPS = 1;
const SECRET_BYTES = 20;
/** 80 bits each: they cannot be guessed from a hash, so a fast hash is enough. */
const RECOVERY_BYTES = 10;
const RECOVERY_CODES = 10;
/** Base32 without ambiguous letters (Crockford). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The secret that an app and we share, as random bytes. */
export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The URI that an app scans and the secret that a user can type instead. */
export function enrolment(secret: Buffer, email: string): { uri: string; secret: string } {
  const totp = totpOf(secret, email);
  return { uri: totp.toString(), secret: totp.secret.base32 };
}

/** The time step of a code; undefined if it is not the current code, or the one before or after. */
export function stepOf(secret: Buffer, typed: string, now: Date): number | undefined {
  const code = typed.replaceAll(/[\s-]/gu, '');
  if (!/^\d{6}$/u.test(code)) return undefined;
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now.getTime(), window: WINDOW_STEPS });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

/** Recovery codes in the form shown to the user, `xxxx-xxxx-xxxx-xxxx`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => grouped(base32(randomBytes(RECOVERY_BYTES))));
}

/** The stored hash of a recovery code, however it is typed: letters of either case, with or without hyphens. */
export function hashRecoveryCode(accountId: string, typed: string): Buffer {
  const plain = typed.toLowerCase().replaceAll(/[\s-]/gu, '').replaceAll('o', '0').replaceAll(/[il]/gu, '1');
  return createHash('sha256').update(`${accountId} ${plain}`).digest();
}

function totpOf(secret: Buffer, email: string): TOTP {
  const bytes = new Secret({ buffer: new Uint8Array(secret).buffer });
  return new TOTP({ issuer: 'Highline', label: email, secret: bytes, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS });
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/gu) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

const grouped = (text: string) => (text.match(/.{4}/gu) ?? []).join('-');

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'hlk_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^40 > 2^238. */
const RANDOM_LENGTH = 40;
/** 62^6 > 2^32. */
const CHECK_LENGTH = 6;
const KEY = /^hlk_[0-9A-Za-z]{46}$/u;

/**
 * A new API key: `hlk_`, 40 random letters and digits, and a CRC-32 of all that in 6 more. The prefix lets programs that look for
 * secrets find one, and the checksum lets them and us tell a key from a text of the same form, without a database.
 */
export function mintKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return `${PREFIX}${random}${checksum(`${PREFIX}${random}`)}`;
}

/** Whether a bearer is meant as an API key. */
export function looksLikeKey(bearer: string): boolean {
  return bearer.startsWith(PREFIX);
}

/** Whether it has the form of a key, with the right checksum: one that was copied in part or mistyped has not. */
export function isWellFormedKey(text: string): boolean {
  return KEY.test(text) && checksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** The stored form of a key. */
export function hashKey(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** What people recognize a key by: too short to guess the rest. */
export function hintOf(text: string): string {
  return `${text.slice(0, PREFIX.length + 4)}…${text.slice(-4)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    digits = `${DIGITS[rest % DIGITS.length]}${digits}`;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

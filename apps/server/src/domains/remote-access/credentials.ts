import { randomInt } from 'node:crypto';

/** Letters and digits without similar ones, for reading aloud and typing. */
const PLAIN = 'abcdefghjkmnpqrstuvwxyz23456789';
const ALPHABET = `${PLAIN}ABCDEFGHJKMNPQRSTUVWXYZ`;
/** 24 of 54 characters are 138 bits. */
const PASSWORD_LENGTH = 24;

/** A name and a password for one session. */
export function makeCredentials(): { username: string; password: string } {
  return { username: `hl-${draw(PLAIN, 6)}`, password: draw(ALPHABET, PASSWORD_LENGTH) };
}

function draw(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

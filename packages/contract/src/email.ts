/**
 * The form of a normalized e-mail address. Letters of every script may precede the @, but no invisible characters, so that no two
 * addresses look alike. 64 is the limit of that part (RFC 5321).
 */
export const EMAIL = /^[^\s@<>(),;:"\\[\]\p{C}]{1,64}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z0-9-]{2,}$/u;
export const LONGEST_EMAIL = 254;

/** An address in its stored form: normalized, also for letters with more than one encoding. */
export function tidyEmail(typed: string): string {
  return typed.normalize('NFC').trim().toLowerCase();
}

/** Whether a typed text is an e-mail address accepted by `email`; for forms, which check before sending. */
export function isEmail(typed: string): boolean {
  const text = tidyEmail(typed);
  return text.length <= LONGEST_EMAIL && EMAIL.test(text);
}

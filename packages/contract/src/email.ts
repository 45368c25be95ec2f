/**
 * What an e-mail address looks like once it is tidied. Letters of every script may stand before the @; nothing that cannot be seen,
 * or two accounts would read alike. 64 is as much as mail takes there (RFC 5321).
 */
export const EMAIL = /^[^\s@<>(),;:"\\[\]\p{C}]{1,64}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z0-9-]{2,}$/u;
export const LONGEST_EMAIL = 254;

/** An address as it is stored: one spelling, also of letters that can be written as one sign or as two. */
export function tidyEmail(typed: string): string {
  return typed.normalize('NFC').trim().toLowerCase();
}

/** Whether a text, as typed, is an e-mail address that `email` takes; for forms, which say so before anything is sent. */
export function isEmail(typed: string): boolean {
  const text = tidyEmail(typed);
  return text.length <= LONGEST_EMAIL && EMAIL.test(text);
}

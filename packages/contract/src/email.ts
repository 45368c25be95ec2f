import { composeText, lengthOf } from './text.ts';

/**
 * The form of a normalized e-mail address. Letters of every script may precede the @, but no invisible characters, so that no two
 * addresses look alike, and dots only between others (RFC 5321). 64 is the limit of that part.
 */
export const EMAIL =
  /^(?=[^@]{1,64}@)[^\s@<>(),;:"\\[\].\p{C}]+(?:\.[^\s@<>(),;:"\\[\].\p{C}]+)*@(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+(?=[a-z0-9-]{2})[a-z0-9]+(?:-+[a-z0-9]+)*$/u;
export const LONGEST_EMAIL = 254;

/** An address in its stored form: normalized, also for letters with more than one encoding; a domain of other letters as DNS has it. */
export function tidyEmail(typed: string): string {
  const text = composeText(typed).trim().toLowerCase();
  const at = text.lastIndexOf('@');
  return text.slice(0, at + 1) + asciiDomain(text.slice(at + 1));
}

/** The longest domain (RFC 1035); longer ones take time by the square of their length to encode. */
const LONGEST_DOMAIN = 253;

/** bücher.example as xn--bcher-kva.example (UTS 46); what is no domain stays as it is. */
function asciiDomain(domain: string): string {
  if (domain.length > LONGEST_DOMAIN) return domain;
  if (!/[^\p{ASCII}]/u.test(domain) || !/^[\p{L}\p{M}\p{N}.\-\u3002]+$/u.test(domain)) return domain;
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain;
}

/** Whether a typed text is an e-mail address accepted by `email`; for forms, which check before sending. */
export function isEmail(typed: string): boolean {
  const text = tidyEmail(typed);
  return lengthOf(text) <= LONGEST_EMAIL && EMAIL.test(text);
}

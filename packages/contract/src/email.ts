/** What an e-mail address looks like once it is trimmed and lower-case. */
export const EMAIL = /^[^\s@<>(),;:"\\[\]]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z0-9-]{2,}$/u;
export const LONGEST_EMAIL = 254;

/** Whether a text, as typed, is an e-mail address that `email` takes; for forms, which say so before anything is sent. */
export function isEmail(typed: string): boolean {
  const text = typed.trim().toLowerCase();
  return text.length <= LONGEST_EMAIL && EMAIL.test(text);
}

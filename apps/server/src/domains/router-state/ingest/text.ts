import { sanitizeText } from '../../../kernel/sanitize-device-text.ts';

/** Code units kept of a text reported by a router. */
export const MAX_TEXT = 100;

/**
 * A reported number: normalized when valid, else as it came with a flag; never rejected.
 * @param normalize the number's own format; undefined = invalid
 */
export function readNumber(
  normalize: (text: string) => string | undefined,
  text: string,
): { readonly value: string | null; readonly isValid: boolean } {
  const clean = sanitizeText(text, 64);
  if (clean === null) return { value: null, isValid: true };
  const normal = normalize(clean);
  return { value: normal ?? clean, isValid: normal !== undefined };
}

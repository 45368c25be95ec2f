import { sanitizeText } from '../../../kernel/sanitize-device-text.ts';

/** Code units kept of a text reported by a router. */
export const MAX_TEXT = 100;

/**
 * A reported number: normalized when valid, else as it came with a flag. A word such as `unknown` or `N/A` is no number.
 * @param normalize the number's own format; undefined = invalid
 * @param isStrict an invalid one is not kept
 */
export function readNumber(
  normalize: (text: string) => string | undefined,
  text: string,
  isStrict = false,
): { readonly value: string | null; readonly isValid: boolean } {
  const clean = sanitizeText(text, 64);
  if (clean === null) return { value: null, isValid: true };
  const normal = normalize(clean);
  const kept = isStrict || !/\d/u.test(clean) ? null : clean;
  return { value: normal ?? kept, isValid: normal !== undefined };
}

const FULL_WIDTH = /[\u3001-\u303f\uff01-\uff60]$/u;

/** Joins sentences: no space after full-width punctuation, otherwise one space. */
export function sentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .reduce((text, part) => `${text}${text === '' || FULL_WIDTH.test(text) ? '' : ' '}${part}`, '');
}

const FULL_WIDTH = /[\u3001-\u303f\uff01-\uff60]$/u;

/** Sentences one after another: a full-width stop brings its own room, after any other a blank follows. */
export function sentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .reduce((text, part) => `${text}${text === '' || FULL_WIDTH.test(text) ? '' : ' '}${part}`, '');
}

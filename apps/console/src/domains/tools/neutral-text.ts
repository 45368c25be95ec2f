/** Characters of a log that are shown. */
export const SHOWN_LOG_BYTES = 200_000;

/** Marks of writing direction, with which a line could be shown in another order than it has. */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Text of a device for display: control characters, such as terminal escapes, become visible symbols that do nothing. */
export function neutralText(text: string): string {
  return Array.from(text.replaceAll('\r\n', '\n').replaceAll(DIRECTIONS, '\u{FFFD}'), symbolOf).join('');
}

function symbolOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n' || character === '\t') return character;
  if (code < 0x20) return String.fromCodePoint(0x24_00 + code);
  if (code === 0x7f) return '\u2421';
  return code >= 0x80 && code < 0xa0 ? '\u{FFFD}' : character;
}

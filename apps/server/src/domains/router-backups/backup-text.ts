/** In names of parameters whose values are shown to no one. */
const SECRET_NAME = /pass(?!through|ive)|pwd|secret|psk|key|token|credential|community|pin(?!g)/iu;
/** The rest of such a name, and what separates it from its value. */
const REST_OF_NAME = /[\w.-]*(?:[=:>"' \t]+|.)?/uy;
const MASK = '••••••';

/** Whether contents are UTF-8 text without control characters that no editor shows. */
export function isText(contents: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(contents).includes('\0');
  } catch {
    return false;
  }
}

/**
 * Mask the values of passwords and keys, by the names that stand before them, and blocks of PEM. A mask has a number: the same value has the same
 * one in every text that is masked by this function, so that a difference shows that it changed.
 */
export function createMasking(): (text: string) => string {
  const numbers = new Map<string, number>();
  const maskOf = (value: string) => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return `${MASK} (${number})`;
  };
  return (text) => {
    let isInBlock = false;
    return text
      .split('\n')
      .map((line) => {
        if (line.includes('-----BEGIN ')) isInBlock = true;
        const masked = isInBlock ? maskOf(line) : maskLine(line, maskOf);
        if (line.includes('-----END ')) isInBlock = false;
        return masked;
      })
      .join('\n');
  };
}

function maskLine(line: string, maskOf: (value: string) => string): string {
  const named = SECRET_NAME.exec(line);
  if (named === null) return line;
  REST_OF_NAME.lastIndex = named.index;
  const end = named.index + REST_OF_NAME.exec(line)![0].length;
  const value = line.slice(end).trim();
  return value === '' ? line : line.slice(0, end) + maskOf(value);
}

import { Slices } from '../../platform/process/slices.ts';
import { indentOf, mapInSlices, readLines, sectionOf, type ReadLine } from './secret-names.ts';

/** The rest of such a name, and what separates it from its value. */
const REST_OF_NAME = /[\w.-]*(?:[=:>"' \t]+|.)?/uy;
const MASK = '••••••';
const PEM_BEGIN = '-----BEGIN ';
const PEM_END = '-----END ';
const LONG_QUOTES = ['"""', "'''"] as const;
/** Ends of a line whose value stands in the next one, or goes on there. */
const OPEN_END = /(?:[:=\\{[(,|]|\s[|>][+-]?\d?|[^/?-]>)$/u;
const CLOSING_TAG = /<\/[^<>]*>$/u;

/** Files with more lines are not shown: their difference would hold up the browser. */
const MOST_LINES = 20_000;

/** Whether contents are UTF-8 text that can be shown: without control characters that no editor shows, and of so many lines. */
export function isText(contents: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(contents);
    return !text.includes('\0') && text.split('\n', MOST_LINES + 1).length <= MOST_LINES;
  } catch {
    return false;
  }
}

/**
 * Mask the values of passwords and keys, by the names that stand before them, with the lines that belong to them: those that are indented deeper
 * than the name, the next one where the value is still to come, long strings, and blocks of PEM; and what is named by another field of its entry,
 * before or after it, or by the section that it stands in. A mask has a number: the same value has the same one
 * in every text that is masked by this function, so that a difference shows that it changed. Others get their turn meanwhile.
 */
export function createMasking(slices = new Slices()): (text: string) => Promise<string> {
  const numbers = new Map<string, number>();
  const maskOf = (value: string) => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return `${MASK} (${number})`;
  };
  return async (text) => {
    let block: SecretBlock | undefined;
    let isSection = false;
    const masked = await mapInSlices(await readLines(text, slices), slices, (line) => {
      const section = block?.until === undefined ? sectionOf(line) : undefined;
      if (section !== undefined) isSection = section === 'secret';
      const isInside = block !== undefined && belongsTo(line, block);
      const isSecret = isInside || line.isValue || (isSection && section === undefined);
      block = blockAfter(line, isInside ? block : undefined, isSecret);
      return isSecret || line.text.includes(PEM_BEGIN) ? maskWhole(line.text, maskOf) : maskValue(line, maskOf);
    });
    return masked.join('\n');
  };
}

/** What follows a secret's name on lines of its own. */
interface SecretBlock {
  /** Of the line with the name: deeper lines belong to it. */
  readonly indent: number;
  /** Up to a line with this, however lines are indented. */
  readonly until?: string | undefined;
  /** The next line belongs to it, however it is indented. */
  readonly hasNext: boolean;
}

function belongsTo({ text, indent: own }: ReadLine, { indent, until, hasNext }: SecretBlock): boolean {
  return until !== undefined || hasNext || own > indent || text.trim() === '';
}

/** The block that is open after a line. @param block the one that the line belongs to @param isSecret the whole line is */
function blockAfter(
  { text: line, indent: own, name }: ReadLine,
  block: SecretBlock | undefined,
  isSecret: boolean,
): SecretBlock | undefined {
  const end = line.trimEnd();
  const indent = block?.indent ?? own;
  if (block?.until !== undefined) return line.includes(block.until) ? { indent, hasNext: false } : block;
  if (line.includes(PEM_BEGIN)) return { indent, hasNext: false, until: line.includes(PEM_END) ? undefined : PEM_END };
  if (block !== undefined) return end === '' ? block : { indent, hasNext: end.endsWith('\\') };
  if (!isSecret && name === -1) return undefined;
  const quotes = LONG_QUOTES.find((each) => line.includes(each));
  if (quotes !== undefined && line.split(quotes).length === 2) return { indent, hasNext: false, until: quotes };
  return { indent, hasNext: OPEN_END.test(end) && !CLOSING_TAG.test(end) };
}

/** Blank lines stay. */
function maskWhole(line: string, maskOf: (value: string) => string): string {
  const value = line.trim();
  return value === '' ? line : line.slice(0, indentOf(line)) + maskOf(value);
}

function maskValue({ text: line, name, secret }: ReadLine, maskOf: (value: string) => string): string {
  if (secret === -1) return line;
  REST_OF_NAME.lastIndex = secret;
  const end = secret === name ? secret + REST_OF_NAME.exec(line)![0].length : secret;
  const value = line.slice(end).trim();
  return value === '' ? line : line.slice(0, end) + maskOf(value);
}

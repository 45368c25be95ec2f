import { notTable, tooLarge } from './file-fault.ts';
import { MAX_COLUMNS, MAX_ROW_LENGTH, tooManyColumns } from './limits.ts';

const QUOTE = '"';
const LF = 10;
const CR = 13;

/**
 * Reads records of delimited text from pieces that may end anywhere. A quote within a cell is a character, behind a quoted part too;
 * lines end with CR, LF or both. Each character is looked at once or twice, whatever the text is, and a row is bounded before it is
 * complete.
 */
export class RecordReader {
  readonly #separator: number;
  #rest = '';

  constructor(separator: string) {
    this.#separator = separator.charCodeAt(0);
  }

  /** @throws FileFault for a row that is too long or has too many cells, and a quote that is never closed */
  *read(piece: string, isLast = false): Generator<string[]> {
    const text = this.#rest + piece;
    let at = 0;
    while (at < text.length) {
      const cells: string[] = [];
      const end = this.#record(text, at, isLast, cells);
      if (end === undefined) break;
      at = end;
      yield cells;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > MAX_ROW_LENGTH) throw this.#tooLong();
  }

  #tooLong(): Error {
    const isQuoted = this.#rest.includes(QUOTE);
    return isQuoted
      ? notTable('A quotation mark is never closed.')
      : tooLarge(`A row of the file has more than ${MAX_ROW_LENGTH.toLocaleString('en-US')} characters.`);
  }

  /** @returns where the next record begins; undefined if more text is needed */
  #record(text: string, begin: number, isLast: boolean, cells: string[]): number | undefined {
    let at = begin;
    for (;;) {
      let quoted = '';
      if (text[at] === QUOTE) {
        const close = closingQuote(text, at);
        if (close === undefined || (close + 1 === text.length && !isLast)) {
          if (isLast) throw notTable('A quotation mark is never closed.');
          return undefined;
        }
        quoted = text.slice(at + 1, close).replaceAll('""', QUOTE);
        at = close + 1;
      }
      const end = this.#endOfCell(text, at);
      if (end === text.length && !isLast) return undefined;
      if (cells.length >= MAX_COLUMNS) throw tooManyColumns();
      if (end - begin > MAX_ROW_LENGTH) throw this.#tooLong();
      cells.push(quoted + text.slice(at, end));
      const code = text.charCodeAt(end);
      if (code !== this.#separator || end === text.length) {
        if (code !== CR) return end + 1;
        if (end + 1 === text.length && !isLast) return undefined;
        return text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
      }
      at = end + 1;
    }
  }

  #endOfCell(text: string, begin: number): number {
    for (let at = begin; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === this.#separator || code === LF || code === CR) return at;
    }
    return text.length;
  }
}

function closingQuote(text: string, open: number): number | undefined {
  for (let at = text.indexOf(QUOTE, open + 1); at >= 0; at = text.indexOf(QUOTE, at + 2)) if (text[at + 1] !== QUOTE) return at;
  return undefined;
}

/** A first line that names the separator, for Excel; other programs quote it or fill it up. It is no row of a spreadsheet. */
const separatorLine = /^\s*"?sep="?([^\w\r\n])"?[,;|\t]*(?:\r\n|\r|\n|$)/iu;
const usual = [',', ';', '\t', '|'];
/** Rows in which the header is looked for. */
export const HEADER_ROWS = 10;

/**
 * The separator of a file: that with which the most column titles are found.
 * @param head begin of the text
 * @param known how many titles of a row are known
 * @returns it, and the length of a line that names it
 */
export function findSeparator(
  head: string,
  known: (record: readonly string[]) => number,
): { readonly separator: string; readonly skipped: number } {
  const line = separatorLine.exec(head);
  const skipped = line?.[0].length ?? 0;
  const candidates = [...new Set([...(line === null ? [] : [line[1]!]), ...usual])];
  const scores = candidates.map((separator) => ({ separator, score: scoreOf(head.slice(skipped), separator, known) }));
  const best = scores.reduce((one, other) => (isBetter(other.score, one.score) ? other : one));
  return { separator: best.separator, skipped };
}

type Score = readonly [titles: number, cells: number];

const isBetter = (one: Score, other: Score) => one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);

function scoreOf(head: string, separator: string, known: (record: readonly string[]) => number): Score {
  let best: Score = [0, 0];
  let filled = 0;
  try {
    for (const record of new RecordReader(separator).read(head, true)) {
      if (record.every((cell) => !/[\p{L}\p{N}]/u.test(cell))) continue;
      const score = [known(record), filled === 0 ? record.length : 0] as const;
      if (isBetter(score, best)) best = score;
      filled += 1;
      if (filled === HEADER_ROWS) break;
    }
  } catch {
    // The head ends within a row, or the text has too many of this separator.
  }
  return best;
}

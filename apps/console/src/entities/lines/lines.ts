import { compareTexts } from './compare-texts.ts';

/** A line of one version, or of the difference of two. */
export interface Line {
  /** Its number in the version that is shown; absent for a line that only the other version has. */
  readonly number?: number;
  readonly text: string;
  readonly change?: 'added' | 'removed';
}

/** What a file contains as text; undefined when it is no UTF-8 text. */
export function textOf(contents: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(contents);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const split = (text: string): string[] => text.replace(/\r?\n$/u, '').split(/\r?\n/u);

/** The lines of a version, numbered from 1. */
export function linesOf(text: string): Line[] {
  return split(text).map((line, index) => ({ number: index + 1, text: line }));
}

/** The lines of a version next to those of an earlier one; undefined when the two differ too much. */
export function compareLines(earlier: string, text: string): Line[] | undefined {
  let number = 0;
  return compareTexts(split(earlier), split(text))?.map((line): Line => {
    if (line.change === 'removed') return line;
    number += 1;
    return { number, ...line };
  });
}

import { diffLines } from 'diff';

/** A line of one version, or of the difference of two. */
export interface Line {
  /** Its number in the version that is shown; absent for a line that only the other version has. */
  readonly number?: number;
  readonly text: string;
  readonly change?: 'added' | 'removed';
}

/** Beyond so many changed lines two versions have little in common, and comparing them would stop the page. */
const MOST_EDITS = 1_000;

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
  const parts = diffLines(earlier, text, { maxEditLength: MOST_EDITS, stripTrailingCr: true });
  if (parts === undefined) return undefined;
  let number = 0;
  return parts.flatMap(({ value, added, removed }) =>
    split(value).map((line): Line => {
      if (removed) return { text: line, change: 'removed' };
      number += 1;
      return added ? { number, text: line, change: 'added' } : { number, text: line };
    }),
  );
}

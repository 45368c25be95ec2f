import { Fragment, type ReactNode } from 'react';

/** Where `part` is in `text`, whatever its case; undefined if it is not. Lengths that differ between cases count as not found. */
export function findPart(text: string, part: string): readonly [start: number, end: number] | undefined {
  const [whole, piece] = [text.toLowerCase(), part.trim().toLowerCase()];
  if (piece === '' || whole.length !== text.length) return undefined;
  const at = whole.indexOf(piece);
  return at < 0 ? undefined : [at, at + piece.length];
}

const termsOf = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s+/u)
    .filter((term) => term !== '');

/** Whether each word of `term` is in one of the texts, in any order. */
export function hasTerms(texts: readonly string[], term: string): boolean {
  const terms = termsOf(term);
  return terms.length > 0 && terms.every((each) => texts.some((text) => findPart(text, each) !== undefined));
}

/** Where `term` is in `text`, or else each of its terms: ranges in order that do not overlap. */
export function findParts(text: string, term: string): readonly (readonly [start: number, end: number])[] {
  const whole = findPart(text, term);
  if (whole !== undefined) return [whole];
  const ranges = termsOf(term).flatMap((each) => {
    const found = findPart(text, each);
    return found === undefined ? [] : [found];
  });
  let end = 0;
  return ranges
    .toSorted(([a], [b]) => a - b)
    .filter((range) => {
      if (range[0] < end) return false;
      end = range[1];
      return true;
    });
}

/** A text whose matching parts are marked. */
export function Marked({ text, part }: { text: string; part: string }): ReactNode {
  const ranges = findParts(text, part);
  return (
    <>
      {ranges.map(([start, end], index) => (
        <Fragment key={start}>
          {text.slice(ranges[index - 1]?.[1] ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.[1] ?? 0)}
    </>
  );
}

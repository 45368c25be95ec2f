import type { ReactNode } from 'react';

/** Where `part` is in `text`, whatever its case; undefined if it is not. Lengths that differ between cases count as not found. */
export function findPart(text: string, part: string): readonly [start: number, end: number] | undefined {
  const [whole, piece] = [text.toLowerCase(), part.trim().toLowerCase()];
  if (piece === '' || whole.length !== text.length) return undefined;
  const at = whole.indexOf(piece);
  return at < 0 ? undefined : [at, at + piece.length];
}

/** A text whose matching part is marked. */
export function Marked({ text, part }: { text: string; part: string }): ReactNode {
  const found = findPart(text, part);
  if (found === undefined) return text;
  const [start, end] = found;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}

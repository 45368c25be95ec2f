import { useMemo, type ReactNode } from 'react';
import type { Line } from './lines.ts';
import './lines.css';

/** Sign in front of a line of a comparison, besides its colour. */
const signs = { added: '+', removed: '−' } as const;
const elements = { added: 'ins', removed: 'del' } as const;

/** Lines that are laid out together: a few more than a region shows at a time. */
const CHUNK = 100;
/** As in the style sheet. */
const LINE_HEIGHT = 20;

/**
 * The lines of a file, or of the difference of two. All of them are in the page, so that the browser finds, copies and prints them; what is out of sight is
 * not laid out, and an element has as many lines as are alike, since a row for each takes seconds where there are thousands.
 */
export function Lines({ lines, label }: { readonly lines: readonly Line[]; readonly label: string }): ReactNode {
  const { chunks, digits, columns } = useMemo(() => layOut(lines), [lines]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className="text-lines" tabIndex={0} role="region" aria-label={label}>
      {chunks.map((chunk, index) => (
        <div
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity than their place
          key={index}
          className="text-lines__chunk"
          style={{ containIntrinsicBlockSize: `${chunk.length * LINE_HEIGHT}px`, minInlineSize: `calc(${columns}ch + 32px)` }}
        >
          <div className="text-lines__margin" aria-hidden="true">
            {marginOf(chunk, digits)}
          </div>
          <div className="text-lines__texts">
            {partsOf(chunk).map(({ change, text }, at) => {
              const Part = change === undefined ? 'div' : elements[change];
              // oxlint-disable-next-line react/no-array-index-key -- the same
              return <Part key={at}>{text}</Part>;
            })}
          </div>
        </div>
      ))}
    </div>
  );
}

/** @returns lines in chunks, digits of the largest number, and the columns that the widest line takes with it */
function layOut(lines: readonly Line[]) {
  const digits = String(lines.findLast(({ number }) => number !== undefined)?.number ?? '').length;
  const widest = lines.reduce((most, { text }) => Math.max(most, columnsOf(text)), 0);
  const chunks = Array.from({ length: Math.ceil(lines.length / CHUNK) }, (_, at) => lines.slice(at * CHUNK, (at + 1) * CHUNK));
  return { chunks, digits, columns: digits + 2 + widest };
}

const FIRST_WIDE = 0x2e80;

/** Columns of a text in a font of one width, at most: Chinese characters take two, a tab up to eight. */
function columnsOf(text: string): number {
  let columns = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    columns += code === 9 ? 8 : code >= FIRST_WIDE ? 2 : 1;
  }
  return columns;
}

/** Numbers and signs of all lines as one text, which the browser lays out at once. */
function marginOf(lines: readonly Line[], digits: number): string {
  return lines
    .map(({ number, change }) => `${String(number ?? '').padStart(digits)} ${change === undefined ? ' ' : signs[change]}`)
    .join('\n');
}

interface Part {
  readonly change: Line['change'];
  readonly text: string;
}

/** Lines after one another that are alike, as one text. */
function partsOf(lines: readonly Line[]): readonly Part[] {
  const parts: { change: Line['change']; texts: string[] }[] = [];
  for (const { change, text } of lines) {
    const last = parts.at(-1);
    if (last !== undefined && last.change === change) last.texts.push(text);
    else parts.push({ change, texts: [text] });
  }
  // A line break at the end of an element is not shown: an empty last line needs one more.
  return parts.map(({ change, texts }) => ({ change, text: texts.join('\n') + (texts.at(-1) === '' ? '\n' : '') }));
}

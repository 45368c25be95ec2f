import { useMemo, type ReactNode } from 'react';
import type { Line } from './lines.ts';
import './lines.css';

/** Sign in front of a line of a comparison, besides its colour. */
const signs = { added: '+', removed: '−' } as const;
const elements = { added: 'ins', removed: 'del' } as const;

/**
 * The lines of a file, or of the difference of two. All of them are in the page, so that the browser finds, copies and prints them; an element
 * has as many as are alike, since one for each line takes seconds where there are thousands.
 */
export function Lines({ lines, label }: { readonly lines: readonly Line[]; readonly label: string }): ReactNode {
  const parts = useMemo(() => partsOf(lines), [lines]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className="text-lines" tabIndex={0} role="region" aria-label={label}>
      <div className="text-lines__margin" aria-hidden="true">
        {marginOf(lines)}
      </div>
      <div className="text-lines__texts">
        {parts.map(({ change, text }, index) => {
          const Part = change === undefined ? 'div' : elements[change];
          // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity than their place
          return <Part key={index}>{text}</Part>;
        })}
      </div>
    </div>
  );
}

/** Numbers and signs of all lines as one text, which the browser lays out at once. */
function marginOf(lines: readonly Line[]): string {
  const digits = String(lines.findLast(({ number }) => number !== undefined)?.number ?? '').length;
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

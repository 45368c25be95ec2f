import type { ReactNode } from 'react';
import type { Line } from './lines.ts';
import './lines.css';

/** Sign in front of a line of a comparison, besides its colour. */
const signs = { added: '+', removed: '−' } as const;

/** The lines of a file, or of the difference of two. */
export function Lines({ lines, label }: { readonly lines: readonly Line[]; readonly label: string }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className="text-lines" tabIndex={0} role="region" aria-label={label}>
      <table>
        <tbody>
          {lines.map(({ number, text, change }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity than their place
            <tr key={index} data-change={change}>
              <td className="text-lines__number">{number}</td>
              <td className="text-lines__sign">{change === undefined ? '' : signs[change]}</td>
              <td className="text-lines__text">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

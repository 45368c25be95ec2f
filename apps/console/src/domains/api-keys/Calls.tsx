import type { ReactNode } from 'react';
import type { KeyGroup } from './api-keys.api.ts';

/** Exact calls, as a program makes them. */
export function Calls({ operations }: Pick<KeyGroup, 'operations'>): ReactNode {
  return (
    <ul className="calls">
      {operations.map(({ id, method, path, summary }) => (
        <li key={id} title={summary}>
          <code>
            {method} {path}
          </code>{' '}
          <span className="dim">{id}</span>
        </li>
      ))}
    </ul>
  );
}

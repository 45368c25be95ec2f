import type { ReactNode } from 'react';
import './status.css';

/** How a state feels: what it means stands in the word beside the dot. */
export type Tone = 'ok' | 'warn' | 'bad' | 'idle' | 'unknown' | 'busy' | 'download';

export interface StatusDotProps {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** Why it is so, on hover. */
  readonly title?: string | undefined;
}

/** A state as a dot and a word: never colour alone, and unknown has a shape of its own. */
export function StatusDot({ tone, children, title }: StatusDotProps): ReactNode {
  return (
    <span className="status" title={title}>
      <span className="status__dot" data-tone={tone} aria-hidden="true" />
      {children}
    </span>
  );
}

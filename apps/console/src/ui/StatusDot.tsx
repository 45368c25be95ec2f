import type { ReactNode } from 'react';
import './status.css';

/** The tone of a state; its meaning is the label next to the dot. */
export type Tone = 'ok' | 'warn' | 'bad' | 'idle' | 'unknown' | 'busy' | 'download';

export interface StatusDotProps {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** Why it is so, on hover. */
  readonly title?: string | undefined;
}

/** A state as a dot and a label: never colour alone, and unknown has its own shape. */
export function StatusDot({ tone, children, title }: StatusDotProps): ReactNode {
  return (
    <span className="status" title={title}>
      <span className="status__dot" data-tone={tone} aria-hidden="true" />
      {children}
    </span>
  );
}

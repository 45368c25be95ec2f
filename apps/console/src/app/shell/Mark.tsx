import type { ReactNode } from 'react';

/** The brand mark, in the accent colour of the scheme. */
export function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path
        d="M5 15.5c2.2 0 2.6-7 5.2-7s2.6 5 4.8 5c1.600 0 2.2-2.5 4-2.5"
        fill="none"
        stroke="var(--accent-ink)"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}

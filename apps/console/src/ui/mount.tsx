import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { limitByCharacters } from './form/character-limits.ts';
import { loadScheme } from './scheme.ts';

/** Renders a page into its document. */
export function mount(page: ReactNode): void {
  const root = document.querySelector('#root');
  if (root === null) return;
  loadScheme();
  limitByCharacters(document);
  createRoot(root).render(<StrictMode>{page}</StrictMode>);
}

import { MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { limitByCharacters } from './form/character-limits.ts';
import { colorSchemeManager, cssVariables, theme } from './theme.ts';

/** A page in the colors and sizes of the console. */
export function Themed({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      // All variables at run time, instead of a stylesheet with every default (4 kB gzip).
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  );
}

/** Renders a page into its document. */
export function mount(page: ReactNode): void {
  const root = document.querySelector('#root');
  if (root === null) return;
  limitByCharacters(document);
  createRoot(root).render(
    <StrictMode>
      <Themed>{page}</Themed>
    </StrictMode>,
  );
}

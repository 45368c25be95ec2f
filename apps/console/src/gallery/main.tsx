import '@fontsource-variable/inter/index.css';
import '../ui/mantine.css';
import '../ui/base.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '../i18n/i18n.ts';
import { DialogHost } from '../ui/DialogHost.tsx';
import { colorSchemeManager, cssVariables, theme } from '../ui/theme.ts';
import { loadZone } from '../ui/time/zone.ts';
import { ToastHost } from '../ui/ToastHost.tsx';
import { Gallery } from './Gallery.tsx';

/** The gallery of `ui/`: in development and in the browser tests only. */
async function start(): Promise<void> {
  loadZone();
  await startI18n();
  const root = document.querySelector('#root');
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        deduplicateCssVariables={false}
      >
        <Gallery />
        <DialogHost />
        <ToastHost />
      </MantineProvider>
    </StrictMode>,
  );
}

void start();

// The library's sheets first: ours, and those of pages that load later, build on them.
import '@fontsource-variable/inter/index.css';
import '../ui/mantine.css';
import '../ui/form/inputs.css';
import '../ui/base.css';
import './account.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadLanguage } from '../ui/language.ts';
import { colorSchemeManager, cssVariables, theme } from '../ui/theme.ts';
import { AccountApp, takeLink } from './AccountApp.tsx';

loadLanguage();
const link = takeLink();
const root = document.querySelector('#root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        deduplicateCssVariables={false}
      >
        <AccountApp link={link} />
      </MantineProvider>
    </StrictMode>,
  );
}
